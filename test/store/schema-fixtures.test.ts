import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { openInspector } from '../../src/store/open-store.ts';
import { getMigrations } from '../../src/store/sql/schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';
import { formatYears } from '../cli/publishing-workspace.ts';
import REVISION_BODIES from '../fixtures/schema/revisions.json';
import { runSql } from '../support/postgres/databases.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { runTenor, startTenorServer } from '../support/run-tenor.ts';
import {
  describeUpgrades,
  FIXTURE_NAMES,
  isOlderPostgres,
  openFixture,
  readFixtureSql,
  readRecords,
  useSchemaFixtures,
} from './schema-fixtures.ts';

const { inFolder, restoreFixture, restoreSqlite } = useSchemaFixtures();

// Others of PostgreSQL, which take longer, are upgraded by test/more.
describeUpgrades(FIXTURE_NAMES.filter((name) => !isOlderPostgres(name)));

test.each(FIXTURE_NAMES.filter((name) => ['sqlite-13.sql', 'postgres-12.sql'].includes(name)))(
  'the terms of securities in %s become records of securities, and their past is kept',
  async (name) => {
    const url = await restoreFixture(name);
    const { store } = await openFixture(url, 'migrate');
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
  const versions = FIXTURE_NAMES.filter((name) => name.startsWith('sqlite')).map((name) =>
    Number(/\d+/.exec(name)?.[0]),
  );
  // Versions 1 and 3 to 7 never were the last of a commit.
  const expected = [2, ...Array.from({ length: current - 8 }, (_, index) => index + 8)];
  expect(versions).toEqual(expect.arrayContaining(expected));
});

/** Commands that neither migrate nor serve, one of each kind. */
function listOtherCommands(): string[][] {
  const csv = inFolder('years.csv');
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

test.each(FIXTURE_NAMES.filter((name) => ['sqlite-18.sql', 'postgres-17.sql'].includes(name)))(
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

test.each(Object.entries(REVISION_BODIES).filter(([name]) => FIXTURE_NAMES.includes(name)))(
  '/revisions/{n} of %s has the bytes that the program of that time sent',
  async (name, bodies) => {
    const { store } = await openFixture(await restoreFixture(name), 'migrate');
    const server = await createInProcessServer(store, catalogue);
    for (const [index, body] of bodies.entries())
      expect(await (await server.get(`/revisions/${index + 1}`)).text()).toBe(body);
    server.close();
  },
);

test('serve says that it migrated', async () => {
  const server = await startTenorServer({
    DATABASE_URL: `sqlite:${restoreSqlite('sqlite-2.sql')}`,
  });
  await server.stop();
  expect(server.err()).toMatch(/"event":"store.prepared","database":"\S+","from":2,"to":\d+\}/);
}, 120_000);
