import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import {
  openInspector,
  openStore,
  type SchemaChange,
  type Store,
  type StorePreparation,
} from '../../src/store/open-store.ts';
import { withConnection } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createTempFolder } from '../support/store.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/schema');
/** The databases of earlier versions, of the engines that there are. */
export const FIXTURE_NAMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.sql'))
  .filter((name) => name.startsWith('sqlite') || explainMissingPostgres() === undefined);

/** Whether a database of PostgreSQL is neither of the first version nor of the last two. */
export const isOlderPostgres = (name: string) => /^postgres-(10|1[1-6])\.sql$/.test(name);

/** Functions that make databases of fixtures, in a folder that is removed after all tests. */
export function useSchemaFixtures() {
  let folder: string;
  const postgresUrls: string[] = [];
  beforeAll(() => {
    folder = createTempFolder();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    for (const url of postgresUrls) await (await getSharedPostgres()).dropDatabase(url);
  });

  function restoreSqlite(name: string): string {
    const directory = join(folder, crypto.randomUUID());
    mkdirSync(directory);
    const path = join(directory, 'x.db');
    using database = new Database(path, { create: true });
    database.run(readFixtureSql(name));
    database.run('PRAGMA journal_mode = WAL');
    return path;
  }

  return {
    inFolder: (name: string) => join(folder, name),
    restoreSqlite,
    /** The URL of a new database with the content of a fixture. */
    async restoreFixture(name: string): Promise<string> {
      if (name.startsWith('sqlite')) return `sqlite:${restoreSqlite(name)}`;
      const url = await (await getSharedPostgres()).createDatabase();
      postgresUrls.push(url);
      await withConnection(url, (sql) => sql.unsafe(readFixtureSql(name)));
      return url;
    },
  };
}

export const readFixtureSql = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

export async function openFixture(url: string, preparation: StorePreparation) {
  const changes: SchemaChange[] = [];
  const onSchemaChange = (change: SchemaChange) => changes.push(change);
  return { store: await openStore(url, catalogue, { preparation, onSchemaChange }), changes };
}

export async function readRecords(store: Store, dataset: Dataset, asOf?: number) {
  const reader = store.reader();
  try {
    const batches = await Array.fromAsync(reader.records(dataset, asOf));
    return batches.flat().map((record) => JSON.parse(record));
  } finally {
    reader.close();
  }
}

/** What the commands that made the fixtures published. */
async function expectContent(store: Store): Promise<void> {
  const prices = async (asOf?: number) =>
    (await readRecords(store, quotes, asOf)).map(({ date, symbol, lastPrice }) =>
      [date, symbol, lastPrice].join(' '),
    );
  const bond = '2026-04-07 Z05PIB220131 92.7';
  expect(await prices(1)).toEqual([bond, '2026-04-07 ZZ12TB140127 91.2']);
  const current = ['2026-04-08 Z05PIB220131 92.7', bond, '2026-04-07 ZZ12TB140127 91.21'];
  expect(await prices()).toEqual(current);
  const years = async (asOf?: number) =>
    (await readRecords(store, online, asOf)).map(({ year, total }) => [year, total]);
  expect(await years(3)).toEqual([
    ['2024', 8],
    ['2023', 7],
  ]);
  expect(await years()).toEqual([['2024', 8]]);
  expect((await readRecords(store, fundAllocation)).map(({ fund_id }) => fund_id)).toEqual([
    '5a3b0f1e-0000-4000-8000-00000000000b',
  ]);
  const reader = store.reader();
  const revisions = await reader.revisions();
  expect(
    revisions.filter(({ author }) => author === 'ann').map(({ revision }) => revision),
  ).toEqual([5, 4, 3, 2, 1]);
  expect(await reader.secret()).toHaveLength(32);
  reader.close();
}

/** Tests that databases are upgraded with all that is in them. */
export function describeUpgrades(names: readonly string[]): void {
  const { restoreFixture } = useSchemaFixtures();
  describe.each(names)('a database of %s', (name) => {
    const version = Number(/\d+/.exec(name)?.[0]);
    // SQLite has had them in a file of their own since version 11.
    const hasTokens = !name.startsWith('sqlite') || version < 11;

    test('is rejected by commands that do not migrate, and upgraded by others to a database like a new one', async () => {
      const url = await restoreFixture(name);
      const rejection = await openFixture(url, 'none').catch(({ message }) => message);
      const { store, changes } = await openFixture(url, 'migrate');
      if (changes.length > 0) expect(rejection).toMatch(/run tenor migrate/);
      for (const { from, to } of changes) {
        expect(from).toBe(version);
        expect(to).toBeGreaterThanOrEqual(version);
      }
      await expectContent(store);
      const tokens = store.tokens();
      expect((await tokens.all()).map((token) => token.name)).toEqual(hasTokens ? ['ann'] : []);
      tokens.close();
      const publisher = store.publisher();
      const records = [quote({ symbol: 'NEW' })];
      const publication = { dataset: quotes, records, source: 'a', author: 'a' };
      const published = await publishRecords(publisher, publication);
      // A revision of securities takes over the terms, where there are any, and one adds conventions.
      const revisions = readFixtureSql(name).match(/^INSERT INTO revisions /gm)?.length ?? 0;
      const migrated = Number(hasTerms(name)) + Number(!hasConventions(name));
      expect(published?.revision).toBe(revisions + migrated + 1);
      // Of all revisions, those of before there was a log included.
      const reader = store.reader();
      expect((await reader.checkpoint())?.split('\n')[1]).toBe(String(published?.revision));
      reader.close();
      publisher.close();
      const inspector = await openInspector(url, catalogue);
      expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
      inspector.close();
      expect((await openFixture(url, 'migrate')).changes).toEqual([]);
    });
  });
}

const hasConventions = (name: string) => /dayCount/.test(readFixtureSql(name));
const hasTerms = (name: string) => /INSERT INTO security_terms_now/.test(readFixtureSql(name));
