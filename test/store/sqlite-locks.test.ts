import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { createSqliteReader } from '../../src/store/sqlite/reader.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { createFilledStore, createStore } from '../support/store.ts';

const token = (name: string) => ({ name, scopes: ['quotes'], rate: null, expiresAt: null });
const { closing, removing } = closeAfterEach();

test('the reader of a server fails at once if another process has locked the file', async () => {
  const store = removing(await createFilledStore());
  // A copy like this has no write-ahead log, with which no reader meets a lock for long.
  const path = `${store.path}.copy`;
  using original = new Database(store.path);
  original.run('VACUUM INTO ?', [path]);
  const reader = closing(createSqliteReader(path, { isServing: true }));
  using other = new Database(path);
  const streamed = () => Array.fromAsync(reader.records(quotes));
  other.run('BEGIN EXCLUSIVE');
  const startedMs = performance.now();
  await expect(reader.revision()).rejects.toThrow(StoreUnavailableError);
  await expect(streamed()).rejects.toThrow(StoreUnavailableError);
  // Ten seconds for each, as a command would.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  other.run('ROLLBACK');
  expect((await streamed()).flat().length).toBeGreaterThan(0);
});

test('tokens are read and written once another process releases their file, and the event loop runs meanwhile', async () => {
  const store = removing(await createStore());
  const tokens = closing(store.tokens());
  await issueToken(tokens, token('a'));
  using other = new Database(`${store.path}.private/tokens`);
  other.run('BEGIN EXCLUSIVE');
  const waiting = Promise.all([tokens.all(), issueToken(tokens, token('b'))]);
  // A wait within SQLite would let no timer run.
  await Bun.sleep(100);
  expect(await Promise.race([waiting, 'waiting'])).toBe('waiting');
  other.run('ROLLBACK');
  await waiting;
  expect((await tokens.all()).map(({ name }) => name)).toEqual(['a', 'b']);
});

test('tokens that stay locked are unavailable, by a message that names their file', async () => {
  const store = removing(await createStore());
  const tokens = closing(store.tokens());
  await issueToken(tokens, token('a'));
  using other = new Database(`${store.path}.private/tokens`);
  other.run('BEGIN EXCLUSIVE');
  const reading = tokens.all();
  await expect(reading).rejects.toThrow(StoreUnavailableError);
  await expect(reading).rejects.toThrow(/tokens is locked; gave up after 2 s$/);
});
