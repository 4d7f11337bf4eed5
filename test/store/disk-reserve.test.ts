import { expect, test } from 'bun:test';
import { existsSync, rmSync, statSync } from 'node:fs';
import { explainFileError } from '../../src/shared/file-error.ts';
import { withDiskReserve } from '../../src/store/sqlite/disk-reserve.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { createStore } from '../support/store.ts';

const TERMS = { name: 'ann', scopes: ['quotes'], rate: null, expiresAt: null };
const toError = (code: string) => Object.assign(new Error('raw text'), { code });

/** A store with a token, and so with a reserve. */
async function createStoreWithToken() {
  const store = await createStore();
  const tokens = store.tokens();
  const { token } = await issueToken(tokens, TERMS);
  return { store, tokens, token, reserve: `${store.path}.private/tokens-reserve` };
}

test('a write that finds the disk full gets the space of the reserve, which is then made again', async () => {
  const { store, reserve } = await createStoreWithToken();
  const full = statSync(reserve).size;
  expect(full).toBe(256 * 1024);
  const write = () => {
    if (existsSync(reserve)) throw toError('SQLITE_FULL');
    return 'written';
  };
  expect(withDiskReserve(store.path, write)).toBe('written');
  expect(statSync(reserve).size).toBe(full);
  expect(statSync(reserve).mode).toBe(statSync(store.path).mode);
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_FULL']) {
    const fail = () => {
      throw toError(code);
    };
    expect(() => withDiskReserve(store.path, fail)).toThrow('raw text');
    expect(statSync(reserve).size).toBe(full);
  }
  await store.remove();
});

test('a write that finds the disk full and no reserve is told to need no space', async () => {
  const { store, reserve } = await createStoreWithToken();
  rmSync(reserve);
  const write = (hasSpace: boolean) => {
    if (hasSpace) throw toError('SQLITE_FULL');
    return 'written';
  };
  expect(store.lacksReserve?.()).toBe(true);
  expect(withDiskReserve(store.path, write)).toBe('written');
  expect(store.lacksReserve?.()).toBe(false);
  await store.remove();
});

test('the reserve is made again by a start of a server; without tokens there is none to be missing', async () => {
  const empty = await createStore();
  expect(empty.lacksReserve?.()).toBe(false);
  await empty.remove();
  const { store, tokens, reserve } = await createStoreWithToken();
  rmSync(reserve);
  await tokens.recordServerStart?.();
  expect(statSync(reserve).size).toBe(256 * 1024);
  await store.remove();
});

test('the reserve is made again by the next write of a token', async () => {
  const { store, tokens, token, reserve } = await createStoreWithToken();
  rmSync(reserve);
  await tokens.recordLastUsed(new Map([[token.id, new Date().toISOString()]]));
  expect(statSync(reserve).size).toBe(256 * 1024);
  await store.remove();
});

test.each([
  ['ENOSPC', 'the file system of data/x.db is full'],
  ['SQLITE_FULL', 'the file system of data/x.db is full'],
  ['EROFS', 'the file system of data/x.db is read-only'],
  ['SQLITE_CORRUPT', 'raw text'],
  ['EISDIR', 'raw text'],
])('an error %s is explained as: %s', (code, text) => {
  expect(explainFileError(toError(code), 'data/x.db')).toBe(text);
});
