import { expect, test } from 'bun:test';
import { authenticateLink } from '../../src/http/authentication/authenticate.ts';
import { FailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';

const VALID = { id: 'lk_1', scopes: new Set<string>(), rate: null, expiresAtMs: Infinity };

test('secrets of links can be guessed no faster than tokens; links in use go on', async () => {
  const tokens = {
    authenticate: (credential: string) =>
      credential === 'link valid' ? { ...VALID, lastUsedAtMs: 0, target: '/3.0/funds' } : undefined,
    lookUp: () => undefined,
    findById: () => undefined,
  };
  const context = { tokens, failedAuthLimiter: new FailedAuthLimiter(() => 0) };
  const leaving = new AbortController();
  const client = { headers: new Headers(), signal: leaving.signal, getAddress: () => '192.0.2.1' };
  const ask = (secret: string, from = client) => authenticateLink(from, secret, context);
  expect(await ask('valid')).toMatchObject({ id: 'lk_1' });
  for (let count = 0; count < 1_000; count++)
    expect(await ask(`guess-${count}`)).toMatchObject({ status: 404 });
  const limited = ask('one more');
  expect(limited).toBeInstanceOf(Promise);
  leaving.abort();
  expect(await limited).toMatchObject({ status: 429 });
  expect(await ask('valid')).toMatchObject({ id: 'lk_1' });
  const elsewhere = { ...client, getAddress: () => '192.0.2.2' };
  expect(await ask('guess', elsewhere)).toMatchObject({ status: 404 });
});
