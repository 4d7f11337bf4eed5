import { SQLiteError } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { openReadOnly } from '../../src/store/sqlite/connection.ts';
import { createFilledStore } from '../support/store.ts';

test('a read-only connection rejects every statement that writes', async () => {
  const store = await createFilledStore();
  const database = openReadOnly(store.path);
  for (const statement of [
    'DELETE FROM quotes_now',
    'INSERT INTO revisions SELECT * FROM revisions',
    'CREATE TABLE extra (x)',
    'DROP VIEW quotes',
    'PRAGMA user_version = 7',
  ]) {
    expect(() => database.run(statement)).toThrow(SQLiteError);
  }
  database.close();
  await store.remove();
});

test('a reader has no method that writes', async () => {
  const store = await createFilledStore();
  const reader = store.reader();
  const ledgerMethods = [
    'revision',
    'revisionAt',
    'revisions',
    'ledgerEntry',
    'changes',
    'corrections',
  ];
  const discoveryMethods = ['coverage', 'securities', 'funds'];
  const methods = ['read', 'records', 'secret', 'close', ...ledgerMethods, ...discoveryMethods];
  expect(Object.keys(reader).toSorted()).toEqual(methods.toSorted());
  reader.close();
  await store.remove();
});
