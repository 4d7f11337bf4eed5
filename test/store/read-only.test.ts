import { SQLiteError } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { openReadOnly } from '../../src/store/sqlite/connection.ts';
import { createFilledStore } from '../support/store.ts';

test("the reader's connection refuses to write", async () => {
  const store = await createFilledStore();
  const database = openReadOnly(store.path);
  for (const statement of [
    'DELETE FROM quotes_now',
    'INSERT INTO revisions SELECT * FROM revisions',
    'CREATE TABLE mine (x)',
    'DROP VIEW quotes',
    'PRAGMA user_version = 7',
  ]) {
    expect(() => database.run(statement)).toThrow(SQLiteError);
  }
  database.close();
  await store.remove();
});

test('a reader has no way to write', async () => {
  const store = await createFilledStore();
  const reader = store.reader();
  const ledger = ['revision', 'revisionAt', 'revisions', 'ledgerEntry', 'changes', 'corrections'];
  const discovery = ['coverage', 'securities', 'funds'];
  const asks = ['read', 'records', 'secret', ...ledger, ...discovery];
  expect(Object.keys(reader).toSorted()).toEqual([...asks, 'close'].toSorted());
  reader.close();
  await store.remove();
});
