import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openInspector, type Store } from '../../src/store/open-store.ts';
import { getSchemaVersion } from '../../src/store/sql/migrations.ts';
import { formatYears } from '../cli/publishing-workspace.ts';
import REVISION_BODIES from '../fixtures/schema/revisions.json';
import { quote } from '../support/quote-fixture.ts';
import { runTenor, startTenorServer } from '../support/run-tenor.ts';
import { FIXTURE_NAMES, openFixture, useSchemaFixtures } from './schema-fixtures.ts';

const { inFolder, restoreFixture, restoreSqlite } = useSchemaFixtures();
const getVersion = (name: string) => Number(/\d+/.exec(name)?.[0]);

describe.each(FIXTURE_NAMES)('a database of %s', (name) => {
  test('is rejected by commands that do not migrate, and becomes one like a new one by others', async () => {
    const url = await restoreFixture(name);
    // It has the tables of a few datasets.
    await expect(openFixture(url, 'none')).rejects.toThrow(/run tenor migrate/);
    const { store, changes } = await openFixture(url, 'migrate');
    expect(changes.map(({ from, to }) => [from, to])).toEqual([
      [getVersion(name), getSchemaVersion()],
    ]);
    await expectContent(store);
    const tokens = store.tokens();
    expect((await tokens.all()).map((token) => token.name)).toEqual(
      name.startsWith('sqlite') ? [] : ['ann'],
    );
    tokens.close();
    const publisher = store.publisher();
    const records = [quote({ symbol: 'NEW' })];
    const publication = { dataset: quotes, records, source: 'a', author: 'a' };
    const published = await publishRecords(publisher, publication);
    expect(published?.revision).toBe(8);
    publisher.close();
    const reader = store.reader();
    expect((await reader.checkpoint())?.split('\n')[1]).toBe('8');
    reader.close();
    const inspector = await openInspector(url, catalogue);
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
    expect((await openFixture(url, 'migrate')).changes).toEqual([]);
  });

  test('gets /revisions/{n} with the bytes that the program of that time sent', async () => {
    const { store } = await openFixture(await restoreFixture(name), 'migrate');
    const server = await createInProcessServer(store, catalogue);
    for (const [index, body] of REVISION_BODIES[name as keyof typeof REVISION_BODIES].entries())
      expect(await (await server.get(`/revisions/${index + 1}`)).text()).toBe(body);
    server.close();
  });
});

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

async function readRecords(store: Store, dataset: Dataset, asOf?: number) {
  const reader = store.reader();
  try {
    const batches = await Array.fromAsync(reader.records(dataset, asOf));
    return batches.flat().map((record) => JSON.parse(record));
  } finally {
    reader.close();
  }
}

test('there is a fixture of every version of SQLite since the first release', () => {
  const versions = FIXTURE_NAMES.filter((name) => name.startsWith('sqlite')).map(getVersion);
  const expected = Array.from({ length: getSchemaVersion() - 20 }, (_, index) => index + 21);
  expect(versions).toEqual(expected);
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

test('only migrate and serve change a file that lacks views: other commands say what to do', async () => {
  const path = restoreSqlite('sqlite-21.sql');
  const before = readFileSync(path);
  const files = readdirSync(join(path, '..'));
  const env = { DATABASE_URL: `sqlite:${path}` };
  // To that command, they are faults.
  const commands = listOtherCommands().filter(([name]) => name !== 'check');
  const rejected = await Promise.all(commands.map((args) => runTenor(args, env)));
  for (const { status, out, err } of rejected) {
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/it lacks tables, indexes or views of this Tenor; .*tenor migrate/);
  }
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(files);
  const migrated = await runTenor(['migrate'], env);
  expect(migrated.status).toBe(0);
  expect((await runTenor(['revisions'], env)).status).toBe(0);
}, 120_000);

test('serve says that it migrated', async () => {
  const server = await startTenorServer({
    DATABASE_URL: `sqlite:${restoreSqlite('sqlite-21.sql')}`,
  });
  await server.stop();
  expect(server.err()).toMatch(/"event":"store.prepared","database":"\S+","from":21,"to":21\}/);
}, 120_000);
