import { expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredToken, TokenStore } from '../../src/store/open-store.ts';
import { StoreUnusableError } from '../../src/store/open-store.ts';
import { ensureLocalToken } from '../../src/tokens/local-token.ts';
import { createTempFolder } from '../support/store.ts';

function tokensThat(add: TokenStore['add'], tokens: StoredToken[]): TokenStore {
  const nothing = async () => {};
  return { all: async () => tokens, add, setEnd: nothing, recordLastUsed: nothing, close() {} };
}

test('a token is kept in a file that only its owner reads, in a folder that is made for it', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'data', 'x.token');
  const tokens: StoredToken[] = [];
  const store = tokensThat(async (token) => {
    tokens.push(token);
  }, tokens);
  const secret = await ensureLocalToken(store, file);
  expect(readFileSync(file, 'utf8').trim()).toBe(String(secret));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ensureLocalToken(store, file)).toBe(secret);
  rmSync(folder, { recursive: true });
});

test('a token that the store does not take leaves no file behind', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'x.token');
  const refusing = tokensThat(async () => {
    throw new StoreUnusableError('permission denied');
  }, []);
  await expect(ensureLocalToken(refusing, file)).rejects.toThrow(StoreUnusableError);
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
