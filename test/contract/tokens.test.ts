import { describe, expect, test } from 'bun:test';
import { issueLink, issueToken } from '../../src/tokens/issue-token.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const OPTIONS = { name: 'n', scopes: ['quotes', 'funds'], rate: '5/s', expiresAt: null };

describe.each(ENGINES)('$name: the store of tokens', ({ createStore }) => {
  test('finds tokens and links by their digests, with all that was stored', async () => {
    const tokens = closing(removing(await createStore()).tokens());
    const { token } = await issueToken(tokens, OPTIONS);
    const { token: link } = await issueLink(tokens, { ...OPTIONS, target: '/3.0/funds' });
    const { token: other } = await issueToken(tokens, { ...OPTIONS, rate: null });
    expect(await tokens.all()).toHaveLength(3);
    expect(await tokens.findByDigest([link.digest, 'none', token.digest])).toEqual(
      expect.arrayContaining([token, link]),
    );
    expect(await tokens.findByDigest([other.digest])).toEqual([other]);
    expect(await tokens.findByDigest(['none'])).toEqual([]);
  });

  test('sets the ends and the scopes of one token, and keeps the later of its uses', async () => {
    const tokens = closing(removing(await createStore()).tokens());
    const { token } = await issueToken(tokens, OPTIONS);
    const { token: other } = await issueToken(tokens, OPTIONS);
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    for (const instant of [early, late, early])
      await tokens.recordLastUsed(
        new Map([
          [token.id, instant],
          ['unknown', instant],
        ]),
      );
    await tokens.update(token.id, { expiresAt: late });
    await tokens.update(token.id, { revokedAt: early });
    await tokens.update(token.id, { scopes: ['*', 'funds'] });
    const stored = await tokens.findByDigest([token.digest, other.digest]);
    expect(stored).toHaveLength(2);
    expect(stored).toContainEqual(other);
    expect(stored).toContainEqual({
      ...token,
      scopes: ['*', 'funds'],
      lastUsedAt: late,
      expiresAt: late,
      revokedAt: early,
    });
  });
});
