import { expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredToken, TokenStore } from '../../src/store/open-store.ts';
import { StoreUnusableError } from '../../src/store/open-store.ts';
import { ensureLocalToken } from '../../src/tokens/local-token.ts';
import { createTempFolder } from '../support/store.ts';

function fakeTokenStore(add: TokenStore['add'], tokens: StoredToken[]): TokenStore {
  const noop = async () => {};
  return { all: async () => tokens, add, setEnd: noop, recordLastUsed: noop, close() {} };
}

test('the local token is stored in a new directory, in a file that only its owner can read', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'data', 'x.token');
  const tokens: StoredToken[] = [];
  const store = fakeTokenStore(async (token) => {
    tokens.push(token);
  }, tokens);
  const secret = await ensureLocalToken(store, file);
  expect(readFileSync(file, 'utf8').trim()).toBe(String(secret));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ensureLocalToken(store, file)).toBe(secret);
  rmSync(folder, { recursive: true });
});

test('no token file remains if the store rejects the local token', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'x.token');
  const store = fakeTokenStore(async () => {
    throw new StoreUnusableError('permission denied');
  }, []);
  await expect(ensureLocalToken(store, file)).rejects.toThrow(StoreUnusableError);
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
