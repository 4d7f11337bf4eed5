import { expect, test } from 'bun:test';
import { createTokenCheck } from '../../bench/token-check.ts';

const requestWith = (authorization: string) =>
  new Request('http://localhost', { headers: { authorization } });

test('the handler that Tenor is compared with hashes an accepted token once, as Tenor does', () => {
  const hashed: string[] = [];
  const isAuthorized = createTokenCheck('right', (token) => {
    hashed.push(token);
    return `digest of ${token}`;
  });
  hashed.length = 0;
  const tokens = ['right', 'wrong', 'right', 'wrong'];
  expect(tokens.map((token) => isAuthorized(requestWith(`Bearer ${token}`)))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(hashed).toEqual(['right', 'wrong', 'wrong']);
  expect(isAuthorized(requestWith('Basic right'))).toBe(false);
});
