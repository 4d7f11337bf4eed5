import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { openInspector, openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
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

async function findFaults(): Promise<readonly string[]> {
  const inspector = await openInspector(url, catalogue);
  const { faults } = await checkDatabase(inspector, catalogue);
  inspector.close();
  return faults;
}

function execute(...statements: string[]): void {
  using database = new Database(path);
  for (const statement of statements) database.run(statement);
}

test('openInspector creates no database', async () => {
  await expect(openInspector(url, catalogue)).rejects.toThrow(StoreUnusableError);
  await expect(openInspector(url, catalogue)).rejects.toThrow(`there is no database at ${path}`);
  expect(existsSync(path)).toBe(false);
});

test('openInspector repairs nothing: each check reports a missing index', async () => {
  await openStore(url, catalogue);
  execute('DROP INDEX quotes_now_by_isin');
  for (const _ of [1, 2]) {
    expect(await findFaults()).toEqual(['structure: index quotes_now_by_isin is missing']);
  }
  await openStore(url, catalogue);
  expect(await findFaults()).toEqual([]);
});

test('openInspector leaves datasets and views of a newer Tenor to tenor migrate', async () => {
  await openStore(url, catalogue.slice(0, -1));
  await expect(findFaults()).rejects.toThrow(/lacks tables.*run tenor migrate/);
  await openStore(url, catalogue);
  expect(await findFaults()).toEqual([]);
  execute('DROP VIEW quotes', 'CREATE VIEW quotes AS SELECT 1');
  await expect(findFaults()).rejects.toThrow(/run tenor migrate/);
});

test('a damaged file of tokens is a fault', async () => {
  const tokens = (await openStore(url, catalogue)).tokens();
  await issueToken(tokens, { name: 'a', scopes: SCOPES, rate: null, expiresAt: null });
  expect(await findFaults()).toEqual([]);
  const bytes = readFileSync(`${path}-tokens`);
  writeFileSync(`${path}-tokens`, bytes.fill(0xff, 4_096));
  expect((await findFaults())[0]).toStartWith(`structure: ${path}-tokens: `);
  writeFileSync(`${path}-tokens`, 'no database'.repeat(50));
  expect(await findFaults()).toEqual([`structure: ${path}-tokens: file is not a database`]);
});
