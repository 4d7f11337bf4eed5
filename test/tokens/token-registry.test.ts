import { describe, expect, test } from 'bun:test';
import {
  type StoredToken,
  StoreUnavailableError,
  type TokenStore,
} from '../../src/store/open-store.ts';
import { issueToken, rotateToken } from '../../src/tokens/issue-token.ts';
import { createTokenRegistry } from '../../src/tokens/token-registry.ts';
import {
  generateTokenSecret,
  hashTokenSecret,
  TOKEN_PATTERN,
} from '../../src/tokens/token-secret.ts';

const terms = { name: 'n', scopes: ['quotes'], rate: null, expiresAt: null };

/** Tokens in memory; writing down last uses can be made to fail. */
function memoryStore(): TokenStore & { uses: Map<string, string>; busy: boolean } {
  const tokens: StoredToken[] = [];
  const uses = new Map<string, string>();
  return {
    uses,
    busy: false,
    all: async () => [...tokens],
    add: async (token) => void tokens.push(token),
    async setEnd(id, at) {
      const index = tokens.findIndex((token) => token.id === id);
      tokens[index] = { ...(tokens[index] as StoredToken), ...at };
    },
    async recordLastUsed(touched) {
      if (this.busy) throw new StoreUnavailableError('busy');
      for (const [id, at] of touched) uses.set(id, at);
    },
    close() {},
  };
}

describe('a keyring', () => {
  test('finds right tokens, and only those, after ten thousand wrong ones', async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, terms);
    const keys = createTokenRegistry(store, 'operator');
    await keys.reload();
    for (let wrong = 0; wrong < 10_000; wrong++) {
      expect(keys.authenticate(`${secret}${wrong}`)).toBeUndefined();
    }
    expect(keys.authenticate(secret)?.id).toBe(token.id);
    expect(keys.authenticate('operator')?.id).toBe('API_TOKEN');
    expect(keys.authenticate(token.digest)).toBeUndefined();
  });

  test('forgets a revoked token at the next reload, even one that was just used', async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, terms);
    const keys = createTokenRegistry(store, undefined);
    await keys.reload();
    expect(keys.authenticate(secret)).toBeDefined();
    await store.setEnd(token.id, { revokedAt: new Date().toISOString() });
    await keys.reload();
    expect(keys.authenticate(secret)).toBeUndefined();
    // Its last use is still written down.
    await keys.flushLastUsed();
    expect(store.uses.has(token.id)).toBe(true);
  });

  test('keeps last uses while the store is busy, and writes them later', async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, terms);
    const keys = createTokenRegistry(store, undefined);
    await keys.reload();
    keys.authenticate(secret);
    store.busy = true;
    await keys.flushLastUsed();
    expect(store.uses.size).toBe(0);
    store.busy = false;
    await keys.flushLastUsed();
    expect([...store.uses.keys()]).toEqual([token.id]);
  });

  test('a rotated token hands its terms on and ends, at once or after a grace period', async () => {
    const store = memoryStore();
    const first = await issueToken(store, { ...terms, rate: '5/min' });
    const second = await rotateToken(store, first.token, 0);
    const third = await rotateToken(store, second.token, 60_000);
    const keys = createTokenRegistry(store, undefined);
    await keys.reload();
    expect(keys.authenticate(first.secret)).toBeUndefined();
    expect(keys.authenticate(second.secret)).toBeDefined();
    expect(keys.authenticate(third.secret)?.rate).toEqual({ count: 5, windowMs: 60_000 });
  });
});

describe('a token', () => {
  test('is new each time, and may stand in a header', () => {
    const secrets = Array.from({ length: 1_000 }, generateTokenSecret);
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) expect(secret).toMatch(TOKEN_PATTERN);
  });

  test('has the digest that others compute', () => {
    expect(hashTokenSecret('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
