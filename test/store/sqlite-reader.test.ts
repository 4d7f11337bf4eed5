import { SQLiteError } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { copyFileSync, readdirSync, renameSync, utimesSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { openReader } from '../../src/store/open-reader.ts';
import type { ReaderSource } from '../../src/store/reader.ts';
import { openReadOnly } from '../../src/store/sqlite/connection.ts';
import { quote } from '../support/quote-fixture.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createFilledStore, createStore } from '../support/store.ts';

test('a read-only connection rejects every statement that writes', async () => {
  await using store = await createFilledStore();
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
});

test('a stream of all records that is stopped early closes its file', async () => {
  await using store = await createStore();
  const records = Array.from({ length: 2_500 }, (_, index) => quote({ symbol: `ZZ${index}` }));
  await store.publish(quotes, records);
  const reader = store.reader();
  const before = countOpenFiles();
  for (let streams = 0; streams < 30; streams++) {
    for await (const batch of reader.records(quotes)) {
      expect(batch.length).toBeLessThan(records.length);
      break;
    }
  }
  expect(countOpenFiles()).toBeLessThan(before + 5);
  reader.close();
});

test('looking whether the file was replaced keeps the locks that protect what is being read', async () => {
  await using store = await createFilledStore();
  const reader = store.reader();
  expect(reader.isCurrent()).toBe(true);
  // As after a checkpoint.
  utimesSync(store.path, new Date(), new Date());
  expect(reader.isCurrent()).toBe(true);
  await reader.revision();
  expect(await canLockExclusively(store.path)).toBe(false);
  reader.close();
});

test('a thread opens the file that its server reads, and none that has taken its path', async () => {
  await using store = await createFilledStore();
  const reader = store.reader();
  const source = reader.source?.() as ReaderSource;
  openReader(source).close();
  copyFileSync(store.path, `${store.path}.copy`);
  renameSync(`${store.path}.copy`, store.path);
  expect(() => openReader(source)).toThrow('was replaced');
  reader.close();
});

test('a stream of all records is of the file that its reader has opened, or fails', async () => {
  const [store, other] = [await createFilledStore(), await createStore()];
  const reader = store.reader();
  expect((await Array.fromAsync(reader.records(quotes))).flat().length).toBeGreaterThan(0);
  copyFileSync(other.path, `${store.path}.copy`);
  renameSync(`${store.path}.copy`, store.path);
  await expect(Array.fromAsync(reader.records(quotes))).rejects.toThrow('was replaced');
  reader.close();
  for (const { remove } of [store, other]) await remove();
});

/** Whether another process would take itself for the only one that has the database open. */
async function canLockExclusively(path: string): Promise<boolean> {
  const script = `
    const { Database } = require('bun:sqlite');
    const database = new Database(${JSON.stringify(path)}, { readwrite: true });
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('BEGIN IMMEDIATE');`;
  const child = spawnChild([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'pipe' });
  const message = await child.stderr.text();
  if ((await child.exited) === 0) return true;
  expect(message).toContain('database is locked');
  return false;
}

function countOpenFiles(): number {
  return readdirSync('/dev/fd').length;
}
