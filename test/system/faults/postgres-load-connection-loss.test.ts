import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { ivrBankingAnnualValue } from '../../../src/catalogue/datasets/series/ivr-banking-annual-value.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { serializeRecord } from '../../../src/schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../../src/schema/storage-table.ts';
import {
  type EncodedRow,
  openStore,
  type Revision,
  type Store,
  type StoreReader,
  StoreUnavailableError,
} from '../../../src/store/open-store.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/connection-cutting-proxy.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';

let server: PostgresServer;
let proxy: CuttingProxy;
let store: Store;
let reader: StoreReader;
let side: SQL;
let loads = 0;

describe.skipIf(explainMissingBinaries() !== undefined)('a load that loses its connection', () => {
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    side = new SQL(url, { max: 1 });
    proxy = startCuttingProxy(server.port);
    const through = new URL(url);
    through.port = String(proxy.port);
    store = await openStore(through.href, catalogue);
    reader = store.reader();
    await load();
  }, 120_000);
  afterAll(async () => {
    reader.close();
    proxy.stop();
    await side.close({ timeout: 0 });
    await server.stop();
  }, 120_000);

  test.each(['before', 'after'] as const)(
    '%s the server receives any of its statements publishes all or nothing, and can be run again',
    async (when) => {
      const statements = new Set<string>();
      loads++;
      proxy.cutAt(0, when);
      await load();
      const { requests } = proxy;
      let before = await stateOf();
      // What the server did is undone or not, whatever it was: only the end needs every one.
      const step = when === 'after' ? 4 : 1;
      const tried = Array.from({ length: Math.floor(requests / step) }, (_, n) => (n + 1) * step);
      for (const request of [...tried, 'COMMIT' as const]) {
        loads++;
        proxy.cutAt(request, when);
        const failure = await load().catch((cause) => cause);
        const cut = proxy.cut ?? 'nothing';
        const found = await stateOf();
        const repeated = [...proxy.afterwards];
        proxy.cutAt(0, when);
        const again = await load();
        const after = await stateOf();
        const isKept = when === 'after' && cut === 'COMMIT';

        // The hashes of the log that a revision adds are more or fewer: so are the requests.
        if (cut === 'nothing' && Number(request) > requests - 6) {
          before = after;
          continue;
        }
        expect({ cut, failure }).toEqual({ cut, failure: expect.any(StoreUnavailableError) });
        expect({ cut, isInDoubt: /tells whether it did/.test(failure.message) }).toEqual({
          cut,
          isInDoubt: cut === 'COMMIT',
        });
        expect({ cut, state: found }).toEqual({ cut, state: isKept ? after : before });
        expect({ cut, repeated }).toEqual({ cut, repeated: [] });
        expect(again.filter((revision) => revision).length).toBe(isKept ? 0 : 3);
        expect(after).not.toEqual(before);
        before = after;
        statements.add(cut);
      }
      const stages = when === 'before' ? STAGES : ['COMMIT'];
      for (const stage of stages) expect([...statements].join()).toContain(stage);
      const inspector = store.inspector();
      expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
      inspector.close();
    },
    120_000,
  );

  test('in a crash is rolled back, even if the server is back before the next statement', async () => {
    loads++;
    const before = await stateOf();
    const failure = await load(async () => {
      await server.kill();
      await server.restart();
    }).catch((cause) => cause);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(await stateOf()).toEqual(before);
    expect((await load()).length).toBe(3);
  }, 120_000);

  test('for a second only continues', async () => {
    loads++;
    const [first, second] = await load(async () => {
      await server.pause();
      setTimeout(() => server.resume(), 1_500);
    });
    expect([first?.dataset, second?.dataset]).toEqual([quotes.name, SERIES.name]);
  }, 120_000);
});

const SERIES = ivrBankingAnnualValue;
const STAGES = ['BEGIN', 'pg_try_advisory', 'quotes_now', 'records_now', 'revisions', 'COMMIT'];

/**
 * Three revisions together, in as many batches as there are kinds of rows: added, corrected,
 * unchanged, retired ones, those that replace all others, and terms of securities.
 */
async function load(halfWay = async () => {}): Promise<(Revision | undefined)[]> {
  const publisher = store.publisher();
  const about = { source: 'test', author: 'test' };
  const [same, changed] = [quote({ symbol: 'SAME' }), quote({ symbol: 'A', lastPrice: loads })];
  const [added, gone] = [quote({ symbol: `N${loads}` }), quote({ symbol: `N${loads - 1}` })];
  const rows = async function* () {
    yield [rowOf(same)];
    await halfWay();
    yield [rowOf(changed), rowOf(added)];
  };
  const terms = { ...securities.example, couponRate: loads };
  try {
    return await publisher.transaction(async (transaction) => [
      await transaction.publish({
        ...about,
        dataset: quotes,
        rows: rows(),
        retiredKeys: loads === 0 ? [] : [[gone.date, gone.symbol]],
      }),
      await publishRecords(transaction, {
        ...about,
        dataset: SERIES,
        records: [{ ...SERIES.example, year: String(2_000 + loads) }],
        replace: true,
      }),
      await publishRecords(transaction, { ...about, dataset: securities, records: [terms] }),
    ]);
  } finally {
    publisher.close();
  }
}

function rowOf(record: Quote): EncodedRow {
  return {
    columns: getColumnValues(getStorageTable(quotes), record),
    json: serializeRecord(quotes, record),
  };
}

/** All that loads write, read behind the store's back: what tells one state from another. */
async function stateOf(): Promise<unknown> {
  const tables = [quotes, SERIES, securities].map(getStorageTable);
  const names = tables.flatMap((table) => [table.currentTable, table.historyTable]);
  const rows = names.map((name) => `SELECT '${name}' AS place, record AS text FROM ${name}`);
  const revisions = "SELECT 'revisions', revision || dataset || checksum FROM revisions";
  const all = [...rows, revisions].join(' UNION ALL ');
  const [row] = await side.unsafe(
    `SELECT count(*)::int, md5(string_agg(place || text, '' ORDER BY place, text)) FROM (${all}) AS a`,
  );
  return row;
}
