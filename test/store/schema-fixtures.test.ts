import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
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
import { getMigrations } from '../../src/store/sql/schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';
import { formatYears } from '../cli/publishing-workspace.ts';
import { runSql, withConnection } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor, startTenorServer } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/schema');
const NAMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.sql'))
  .filter((name) => name.startsWith('sqlite') || explainMissingPostgres() === undefined);

let folder: string;
const postgresUrls: string[] = [];
beforeAll(() => {
  folder = createTempFolder();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  for (const url of postgresUrls) await (await getSharedPostgres()).dropDatabase(url);
});

const readFixtureSql = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

/** The URL of a new database with the content of a fixture. */
async function restoreFixture(name: string): Promise<string> {
  if (name.startsWith('sqlite')) return `sqlite:${restoreSqlite(name)}`;
  const url = await (await getSharedPostgres()).createDatabase();
  postgresUrls.push(url);
  await withConnection(url, (sql) => sql.unsafe(readFixtureSql(name)));
  return url;
}

function restoreSqlite(name: string): string {
  const directory = join(folder, crypto.randomUUID());
  mkdirSync(directory);
  const path = join(directory, 'x.db');
  using database = new Database(path, { create: true });
  database.run(readFixtureSql(name));
  database.run('PRAGMA journal_mode = WAL');
  return path;
}

async function open(url: string, preparation: StorePreparation) {
  const changes: SchemaChange[] = [];
  const onSchemaChange = (change: SchemaChange) => changes.push(change);
  return { store: await openStore(url, catalogue, { preparation, onSchemaChange }), changes };
}

async function readRecords(store: Store, dataset: Dataset, asOf?: number) {
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

describe.each(NAMES)('a database of %s', (name) => {
  const version = Number(/\d+/.exec(name)?.[0]);
  // SQLite has had them in a file of their own since version 11.
  const hasTokens = !name.startsWith('sqlite') || version < 11;

  test('is rejected by commands that do not migrate, and upgraded by others to a database like a new one', async () => {
    const url = await restoreFixture(name);
    const rejection = await open(url, 'none').catch(({ message }) => message);
    const { store, changes } = await open(url, 'migrate');
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
    expect((await open(url, 'migrate')).changes).toEqual([]);
  });
});

const hasConventions = (name: string) => /dayCount/.test(readFixtureSql(name));
const hasTerms = (name: string) => /INSERT INTO security_terms_now/.test(readFixtureSql(name));

test.each(NAMES.filter((name) => ['sqlite-13.sql', 'postgres-12.sql'].includes(name)))(
  'the terms of securities in %s become records of securities, and their past is kept',
  async (name) => {
    const url = await restoreFixture(name);
    const { store } = await open(url, 'migrate');
    const unknown = {
      ...{ isin: null, name: null, issuer: null, issueDate: null, floating: null },
      ...{ dayCount: null, exDividendDays: null, settlementDays: null, calendar: null },
    };
    expect(await readRecords(store, securities)).toEqual([
      {
        symbol: 'Z05PIB220131',
        couponRate: 10.25,
        couponFrequency: 2,
        pricing: 'coupon',
        ...unknown,
      },
      {
        symbol: 'ZZ12TB140127',
        couponRate: null,
        couponFrequency: null,
        pricing: 'discount',
        ...unknown,
      },
    ]);
    const reader = store.reader();
    const { revision, entries } = await reader.securityTerms();
    expect([revision, entries.map(({ couponRate }) => couponRate)]).toEqual([7, [10.25, null]]);
    expect((await reader.securityTerms(5)).entries).toEqual([]);
    const [, entry] = await reader.revisions({ limit: 2 });
    expect(entry).toMatchObject({ dataset: 'securities', author: 'tenor migrate', added: 2 });
    reader.close();
    // The checksums of the quotes that the terms came with still hold.
    const inspector = await openInspector(url, catalogue);
    const { faults, notes, warnings } = await checkDatabase(inspector, catalogue);
    const note = 'the ledger has no log yet: the next publication makes it';
    expect({ faults, notes }).toEqual({ faults: [], notes: [note] });
    // Of the bill alone: the bond's coupon has changed, so its yields are not computed again.
    expect(warnings).toMatchObject([{ rule: 'ytm-off-price', count: 1 }]);
    inspector.close();
  },
);

test('there is a fixture of every version before the current one that SQLite had', () => {
  const current = getMigrations(sqliteTableDialect).length;
  const versions = NAMES.filter((name) => name.startsWith('sqlite')).map((name) =>
    Number(/\d+/.exec(name)?.[0]),
  );
  // Versions 1 and 3 to 7 never were the last of a commit.
  const expected = [2, ...Array.from({ length: current - 8 }, (_, index) => index + 8)];
  expect(versions).toEqual(expect.arrayContaining(expected));
});

/** Commands that neither migrate nor serve, one of each kind. */
function listOtherCommands(): string[][] {
  const csv = join(folder, 'years.csv');
  writeFileSync(csv, formatYears({ 2025: 9 }));
  return [
    ...[['revisions'], ['check'], ['token', 'list'], ['revert', '1', '--dry-run'], ['revert', '1']],
    ...[
      ['retire', online.name, '2024'],
      ['load', online.name, csv],
    ],
    ['load', online.name, csv, '--create'],
  ];
}

test('only migrate changes a file of version 9: other commands say what to do', async () => {
  const path = restoreSqlite('sqlite-9.sql');
  const before = readFileSync(path);
  const env = { DATABASE_URL: `sqlite:${path}` };
  const rejected = await Promise.all(listOtherCommands().map((args) => runTenor(args, env)));
  for (const { status, out, err } of rejected) {
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(
      /its schema is version 9, and this Tenor needs version \d+; .*tenor migrate/,
    );
  }
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(['x.db']);
  const migrated = await runTenor(['migrate'], env);
  expect(migrated.status).toBe(0);
  expect(migrated.err).toMatch(
    new RegExp(`^tenor: migrated the database ${path} from schema 9 to \\d+\n$`),
  );
  expect((await runTenor(['revisions'], env)).status).toBe(0);
}, 120_000);

test.skipIf(explainMissingPostgres() !== undefined)(
  'only migrate and serve change a PostgreSQL database of version 14: other commands say what to do',
  async () => {
    const env = { DATABASE_URL: await restoreFixture('postgres-14.sql') };
    const read = async () => [
      ...(await runSql(
        env.DATABASE_URL,
        'SELECT version, count(*) FROM tenor_schema, revisions GROUP BY version',
      )),
    ];
    const before = await read();
    for (const args of listOtherCommands()) {
      const { status, out, err } = await runTenor(args, env);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(
        /its schema is version 14, and this Tenor needs version \d+; .*tenor migrate/,
      );
    }
    expect(await read()).toEqual(before);
  },
  120_000,
);

test.each(NAMES.filter((name) => ['sqlite-18.sql', 'postgres-17.sql'].includes(name)))(
  'responses as of revisions of %s keep their bytes; the current terms have conventions',
  async (name) => {
    const API_TOKEN = 'a token of more than 16 characters'.replaceAll(' ', '-');
    const url = await restoreFixture(name);
    const server = await startTenorServer({ DATABASE_URL: url, API_TOKEN });
    const read = async (target: string): Promise<string> => {
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const response = await fetch(`${server.address}${target}`, { headers });
      // Right after its start, on a busy machine, a database server may be too slow.
      if (response.status !== 503) return response.text();
      await Bun.sleep(1_000);
      return read(target);
    };
    const columns = 'symbol,isin,name,issuer,issueDate,couponRate,couponFrequency,pricing,floating';
    const conventions = 'dayCount,exDividendDays,settlementDays,calendar';
    const listed = columns.replace('isin,', 'isin,type,maturityDate,firstDate,lastDate,');
    const stored = readFixtureSql(name).match(/(?<=INSERT INTO securities_now .*)\{.*\}/g) ?? [];
    try {
      expect(await read('/exports/securities.csv?as_of=6')).toBe(
        `${columns}\r\nACMETFC1,,Certificate of Acme,,,13,,,\r\nZ05PIB220131,,5-year bond,,,10.25,,,\r\n`,
      );
      expect(await read('/exports/securities.ndjson?as_of=7')).toBe(
        `${stored.toSorted().join('\n')}\n`,
      );
      expect(await read('/changes/securities?since=6&until=7')).toBe(
        `{"status":"ok","data":[{"change":"corrected","record":${stored.toSorted()[0]}}]}`,
      );
      expect(await read('/2.0/bnb/securities?as_of=7&format=csv')).toStartWith(`${listed}\r\n`);
      expect(await read('/2.0/bnb/securities?as_of=7')).not.toContain('dayCount');
      expect(await read('/2.0/bnb/securities?format=csv')).toStartWith(`${listed},${conventions}`);
      expect(await read('/exports/securities.csv')).toBe(
        `${columns},${conventions}\r\nACMETFC1,,First certificate of Acme,,,13,,,,,,,\r\nZ05PIB220131,,5-year bond,,,10.25,,,,,,,\r\n`,
      );
      const changes = JSON.parse(await read('/changes/securities?since=7')).data;
      expect(changes).toMatchObject([
        { change: 'corrected', record: { symbol: 'ACMETFC1', calendar: null } },
        { change: 'corrected', record: { symbol: 'Z05PIB220131', calendar: null } },
      ]);
      const [revision] = JSON.parse(await read('/revisions?limit=1')).data;
      expect(revision).toMatchObject({ revision: 8, dataset: 'securities', corrected: 0 });
    } finally {
      await server.stop();
    }
  },
  120_000,
);

test('serve says that it migrated', async () => {
  const server = await startTenorServer({
    DATABASE_URL: `sqlite:${restoreSqlite('sqlite-2.sql')}`,
  });
  await server.stop();
  expect(server.err()).toMatch(/"event":"store.prepared","database":"\S+","from":2,"to":\d+\}/);
}, 120_000);
