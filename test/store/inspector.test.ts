import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { openInspector, openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
let path: string;
let url: string;
beforeEach(() => {
  folder = createTempFolder();
  path = join(folder, 'x.db');
  url = `sqlite:${path}`;
});
afterEach(() => rmSync(folder, { recursive: true }));

async function faults(): Promise<readonly string[]> {
  const inspector = await openInspector(url, catalogue);
  const found = await checkDatabase(inspector, catalogue);
  inspector.close();
  return found.faults;
}

function sql(...statements: string[]): void {
  using database = new Database(path);
  for (const statement of statements) database.run(statement);
}

test('an inspection makes no database where there is none', async () => {
  await expect(openInspector(url, catalogue)).rejects.toThrow(StoreUnusableError);
  await expect(openInspector(url, catalogue)).rejects.toThrow(/it does not exist/);
  expect(existsSync(path)).toBe(false);
});

test('an inspection mends nothing: what is gone is told, again and again', async () => {
  await openStore(url, catalogue);
  sql('DROP INDEX quotes_now_by_isin');
  for (const _ of [1, 2]) {
    expect(await faults()).toEqual(['structure: index quotes_now_by_isin is missing']);
  }
  await openStore(url, catalogue);
  expect(await faults()).toEqual([]);
});

test('an inspection brings along what a newer Tenor has', async () => {
  await openStore(url, catalogue.slice(0, -1));
  expect(await faults()).toEqual([]);
  sql('DROP VIEW quotes', 'CREATE VIEW quotes AS SELECT 1');
  expect(await faults()).toEqual([]);
});
