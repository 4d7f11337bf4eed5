import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openInspector, openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { quote } from '../support/quote-fixture.ts';
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

test('openInspector leaves datasets of a newer Tenor to tenor migrate, and reports an altered view', async () => {
  await openStore(
    url,
    catalogue.filter(({ shape }) => shape !== 'quotes'),
  );
  await expect(findFaults()).rejects.toThrow(/lacks tables.*run tenor migrate/);
  await openStore(url, catalogue);
  expect(await findFaults()).toEqual([]);
  execute('DROP VIEW quotes', 'CREATE VIEW quotes AS SELECT 1');
  expect(await findFaults()).toEqual(['structure: view quotes is not as made']);
});

test('a summary that differs from the records is a fault, until it is derived again', async () => {
  const publisher = (await openStore(url, catalogue)).publisher();
  const records = ['2026-06-01', '2026-06-02'].map((date) => quote({ date }));
  const publication = { dataset: quotes, source: 'test', author: 'test' };
  await publishRecords(publisher, { ...publication, records });
  await publishRecords(publisher, { ...publication, records: [quote({ date: '2026-06-03' })] });
  publisher.close();
  expect(await findFaults()).toEqual([]);
  const { symbol, isin, type } = quote({});
  execute(
    "UPDATE quotes_days SET difference = 2 WHERE date = '2026-06-02'",
    'UPDATE quotes_securities SET since = 2',
  );
  const hint =
    'drop the table (on PostgreSQL with CASCADE), and tenor migrate derives it from the records';
  const security = `symbol_key ${symbol}, symbol ${symbol}, isin_key ${isin}`;
  const day = `date 2026-06-02, type ${type}, revision 1`;
  expect(await findFaults()).toEqual([
    `quotes_days: lacks ${day}, difference 1; ${hint}`,
    `quotes_days: has ${day}, difference 2, which no record accounts for; ${hint}`,
    `quotes_securities: lacks ${security}, since 1; ${hint}`,
    `quotes_securities: has ${security}, since 2, which no record accounts for; ${hint}`,
  ]);
  execute('DROP TABLE quotes_days', 'DROP TABLE quotes_securities');
  await openStore(url, catalogue);
  expect(await findFaults()).toEqual([]);
});

test('a damaged file of tokens is a fault', async () => {
  const tokens = (await openStore(url, catalogue)).tokens();
  await issueToken(tokens, { name: 'a', scopes: SCOPES, rate: null, expiresAt: null });
  expect(await findFaults()).toEqual([]);
  const bytes = readFileSync(`${path}.private/tokens`);
  writeFileSync(`${path}.private/tokens`, bytes.fill(0xff, 4_096));
  expect((await findFaults())[0]).toStartWith(`structure: ${path}.private/tokens: `);
  writeFileSync(`${path}.private/tokens`, 'no database'.repeat(50));
  expect(await findFaults()).toEqual([`structure: ${path}.private/tokens: file is not a database`]);
});
