import { Database } from 'bun:sqlite';
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { funds } from '../../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { LogEvent } from '../../../src/event-log.ts';
import { startServer } from '../../../src/http/server/start-server.ts';
import { openStore, type Store } from '../../../src/store/open-store.ts';
import { copyDatabase } from '../../support/copy-store.ts';
import {
  createSampleFile,
  damageFile,
  listTargets,
  readResponses,
  type ServedFile,
  serveFile,
  waitForScrub,
} from '../../support/damaged-server.ts';
import { retryUntil } from '../../support/eventually.ts';
import { readFixture } from '../../support/fixtures.ts';
import { runSql } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { quote } from '../../support/quote-fixture.ts';
import {
  checkpoint,
  createStore,
  createTempFolder,
  ENGINES,
  openPostgresStore,
  type TestStore,
} from '../../support/store.ts';
import { QUICK_PACE, SERVER_SETTINGS, TOKEN } from '../../support/test-server.ts';
import { useEqualThreadPriority } from '../../support/thread-priority.ts';

setDefaultTimeout(300_000);
useEqualThreadPriority();

const TIMEOUT_MS = 60_000;
const PAGE_BYTES = 8_192;
const headers = { Authorization: `Bearer ${TOKEN}` };

type Running = Awaited<ReturnType<typeof serve>>;
let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function serve(
  store: Store & Pick<TestStore, 'remove'>,
  scrubInterval: number | null = 1_000,
) {
  const events: LogEvent[] = [];
  const settings = { ...SERVER_SETTINGS, scrubInterval };
  const emit = (event: LogEvent) => events.push(event);
  const server = await startServer({ store, catalogue, settings, emit, scrubPace: QUICK_PACE });
  const get = (target: string) => fetch(`${server.address}${target}`, { headers });
  return {
    ...server,
    events,
    get,
    getStatus: async (target: string) => (await get(target)).status,
    async stop() {
      await server.stop();
      await store.remove();
    },
  };
}

/** Quotes with a history, and funds. */
async function publishHistory(store: TestStore): Promise<void> {
  await store.publish(funds, readFixture(funds));
  for (const ytm of [10, 11]) await store.publish(quotes, [quote({ symbol: 'LOOKEDFOR', ytm })]);
}

const QUOTE = '/2.0/bnb/quote?symbol=LOOKEDFOR';
/** What is made from quotes. */
const MADE_FROM_QUOTES = [
  QUOTE,
  '/2.0/bnb/quote?format=csv',
  '/2.0/bnb/securities',
  '/2.0/bnb/curve',
  '/2.0/bnb/analytics?symbol=LOOKEDFOR',
  '/exports/quotes.csv',
  '/exports/quotes.csv?as_of=2',
  '/corrections/quotes',
  '/vintages/quotes',
  '/changes/quotes?since=1',
  '/revisions?dataset=quotes',
  '/revisions/2',
  '/catalogue',
  '/datapackage.json',
];
const FUNDS = [
  '/exports/funds.csv',
  '/3.0/funds',
  '/corrections/funds',
  '/vintages/funds',
  '/revisions/1',
];

async function expectRefused({ address, get, getStatus }: Running): Promise<void> {
  await retryUntil(TIMEOUT_MS, async () => expect(await getStatus(QUOTE)).toBe(503));
  for (const target of MADE_FROM_QUOTES)
    expect([target, await getStatus(target)]).toEqual([target, 503]);
  expect(await (await get(QUOTE)).json()).toMatchObject({ status: 'error' });
  await retryUntil(TIMEOUT_MS, async () => {
    const ready = await fetch(`${address}/ready`);
    const { reasons, damaged } = (await ready.json()) as { reasons: string[]; damaged: string[] };
    expect([ready.status, reasons]).toEqual([503, ['data_damaged']]);
    expect(damaged).toContain('quotes');
  });
}

/** Statements that damage one part of what is stored of quotes, and those that mend it. */
const DAMAGES: readonly [part: string, damage: string, repair: string][] = [
  ['table', setRecord('quotes_now', '11', '12'), setRecord('quotes_now', '12', '11')],
  ['history', setRecord('quotes_past', '10', '12'), setRecord('quotes_past', '12', '10')],
  ['summary of securities', setColumn('quotes_securities', 'symbol', 'X'), ''],
  ['summary of days', 'UPDATE quotes_days SET difference = 7', ''],
  ['key of ISINs', setColumn('quotes_now', 'isin_key', 'x'), ''],
  ['key of symbols', setColumn('quotes_now', 'symbol_key', 'x'), ''],
];

/** A cluster rejects a change of the column that its rows are distributed by. */
function listDamages(engine: string): typeof DAMAGES {
  return engine === 'citus' ? DAMAGES.filter(([part]) => part !== 'key of symbols') : DAMAGES;
}

function setRecord(table: string, from: string, to: string): string {
  return `UPDATE ${table} SET record = replace(record, '"ytm":${from}', '"ytm":${to}')`;
}

function setColumn(table: string, column: string, value: string): string {
  return `UPDATE ${table} SET ${column} = '${value}'`;
}

async function change({ url }: TestStore, sql: string): Promise<void> {
  if (url.startsWith('postgres')) return void (await runSql(url, sql));
  using database = new Database(url.replace('sqlite:', ''));
  database.run(sql);
}

describe.each(ENGINES.map(({ name, createStore }) => [name, createStore] as const))(
  'a server on %s',
  (engine, createStore) => {
    const createHistory = async () => {
      const store = await createStore();
      await publishHistory(store);
      return store;
    };

    test.each(listDamages(engine))(
      'refuses what is made from a damaged %s only',
      async (_, damage, repair) => {
        const store = await createHistory();
        running = await serve(store);
        const { get, getStatus, events } = running;
        const before = await (await get(QUOTE)).text();
        for (const target of [...MADE_FROM_QUOTES, ...FUNDS])
          expect([target, (await getStatus(target)) < 500]).toEqual([target, true]);
        await change(store, damage);
        await expectRefused(running);
        for (const target of FUNDS) expect(await getStatus(target)).toBe(200);
        if (repair === '') return;
        await change(store, repair);
        await retryUntil(TIMEOUT_MS, async () => expect(await getStatus(QUOTE)).toBe(200));
        expect(await (await get(QUOTE)).text()).toBe(before);
        expect(events.filter(({ event }) => event === 'store.repaired')).toHaveLength(1);
      },
    );

    test('refuses reads of any dataset as of a revision if an entry of the ledger was altered', async () => {
      const store = await createHistory();
      running = await serve(store);
      const { getStatus } = running;
      await change(store, "UPDATE revisions SET source = 'x' WHERE revision = 3");
      await expectRefused(running);
      for (const target of ['/exports/funds.csv?as_of=1', '/3.0/funds?as_of=2'])
        expect(await getStatus(target)).toBe(503);
      for (const target of FUNDS) expect(await getStatus(target)).toBe(200);
    });
  },
);

describe('a server on a file', () => {
  test('refuses a dataset of which only the copy in an index was altered', async () => {
    const store = await createStore();
    await publishHistory(store);
    checkpoint(store.path);
    running = await serve(store);
    expect(await running.getStatus(QUOTE)).toBe(200);
    const bytes = readFileSync(store.path);
    const text = '"ytm":11';
    // The table has one copy, and its index another.
    bytes.write('"ytm":13', bytes.lastIndexOf(text));
    writeFileSync(store.path, bytes);
    await expectRefused(running);
    for (const target of FUNDS) expect(await running.getStatus(target)).toBe(200);
  });

  test('refuses a dataset at once that cannot be read, though nothing is scrubbed', async () => {
    const store = await createStore();
    await publishHistory(store);
    checkpoint(store.path);
    const bytes = readFileSync(store.path);
    for (const offset of [bytes.indexOf('"ytm":11'), bytes.lastIndexOf('"ytm":11')]) {
      const page = Math.floor(offset / PAGE_BYTES) * PAGE_BYTES;
      bytes.fill(0xff, page, page + 100);
    }
    writeFileSync(store.path, bytes);
    running = await serve(store, null);
    const { getStatus, scrubber, events } = running;
    for (const target of ['/exports/quotes.csv', QUOTE, '/exports/quotes.parquet'])
      expect(await getStatus(target)).toBe(503);
    expect(scrubber.status().damaged).toContain('quotes');
    expect(await getStatus('/exports/funds.csv')).toBe(200);
    await retryUntil(TIMEOUT_MS, async () =>
      expect(events.map(({ event }) => event)).toContain('scrub.finished'),
    );
    expect(await getStatus(QUOTE)).toBe(503);
  });

  test('sends the text of a damaged record to no one, but 503 for its export', async () => {
    const store = await createStore();
    await publishHistory(store);
    await change(store, "UPDATE quotes_now SET record = '{' || char(1)");
    running = await serve(store, null);
    for (const target of ['/exports/quotes.csv', '/exports/quotes.ndjson', QUOTE])
      expect(await running.getStatus(target)).toBe(503);
  });
});

describe('files with random bytes in random places', () => {
  const folder = createTempFolder();
  const whole = join(folder, 'whole.db');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are never served altered once everything was checked', async () => {
    await createSampleFile(whole, '2026-06-24');
    const targets = listTargets(25, ['CEDARTFC2', 'Z15PIB120838']);
    const responses = async (served: ServedFile) =>
      readResponses(served.server.address, targets).finally(() => served.server.stop());
    const expected = await responses((await serveFile(whole)) as ServedFile);
    const counts = { altered: 0, refused: 0, equal: 0 };
    for (const [index, places] of [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 100, 200].entries()) {
      const path = join(folder, `${index}.db`);
      copyDatabase(whole, path);
      damageFile(path, places, `damage ${index}`);
      const served = await serveFile(path);
      if (!served) continue;
      await waitForScrub(served, TIMEOUT_MS);
      for (const [target, response] of await responses(served)) {
        if (response === expected.get(target)) counts.equal++;
        else if (response === 503) counts.refused++;
        else {
          counts.altered++;
          console.error(`${target} of a file with ${places} damaged places: ${response}`);
        }
      }
    }
    expect(counts).toMatchObject({ altered: 0 });
    expect([counts.refused > 100, counts.equal > 100]).toEqual([true, true]);
  });
});

describe.skipIf(explainMissingBinaries() !== undefined)('a server on PostgreSQL', () => {
  let postgres: PostgresServer[] = [];
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await Promise.all(postgres.map((server) => server.stop()));
    postgres = [];
  });

  async function startFilled(settings: Record<string, string>) {
    const primary = await startPostgres({ settings });
    postgres.push(primary);
    const url = await primary.createDatabase('tenor');
    const store = await openPostgresStore(url, async () => {});
    await publishHistory(store);
    for (const sql of ['VACUUM ANALYZE', 'CHECKPOINT']) await runSql(url, sql);
    return { primary, url, store };
  }

  /** Alters a record in the file of a table or an index, while its server is down. */
  async function alterOnDisk(server: PostgresServer, relation: string): Promise<void> {
    const sql = `SELECT current_setting('data_directory') || '/' || pg_relation_filepath('${relation}') AS file`;
    const [row] = await runSql(server.url('tenor'), sql);
    await server.kill();
    const bytes = readFileSync(String(row?.file));
    bytes.write('"ytm":13', bytes.lastIndexOf('"ytm":11'));
    writeFileSync(String(row?.file), bytes);
    await server.restart();
  }

  /** With and without a server that checks its own pages. */
  test.each(['off', 'on'])(
    'refuses a dataset of which an index was altered on disk, with ignore_checksum_failure %s',
    async (ignore) => {
      const { primary, store } = await startFilled({ ignore_checksum_failure: ignore });
      running = await serve(store);
      expect(await running.getStatus(QUOTE)).toBe(200);
      await alterOnDisk(primary, 'quotes_now_by_symbol');
      // Until the database is back, everything is refused.
      const { getStatus } = running;
      await retryUntil(TIMEOUT_MS, async () => expect(await getStatus('/3.0/funds')).toBe(200));
      await expectRefused(running);
      for (const target of FUNDS) expect(await running.getStatus(target)).toBe(200);
    },
  );

  test('refuses a dataset that was altered on a replica only', async () => {
    const { primary, url } = await startFilled({ ignore_checksum_failure: 'on' });
    const standby = await primary.standby();
    postgres.push(standby);
    const replicas = [standby.url('tenor')];
    const store = await openStore(url, catalogue, { replicas });
    running = await serve({ ...store, remove: async () => {} });
    const { events, getStatus } = running;
    await retryUntil(TIMEOUT_MS, async () =>
      expect(events).toContainEqual(
        expect.objectContaining({ event: 'scrub.finished', faults: 0 }),
      ),
    );
    expect(await getStatus(QUOTE)).toBe(200);
    await alterOnDisk(standby, 'quotes_now');
    await expectRefused(running);
    for (const target of FUNDS) expect(await getStatus(target)).toBe(200);
  });
});
