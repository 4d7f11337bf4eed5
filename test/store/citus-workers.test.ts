import { afterEach, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import {
  migrateStore,
  openStore,
  type StoreInspector,
  type StoreReader,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import { createStagedOperations } from '../../src/store/postgres/citus/staged-operations.ts';
import { RowBatches } from '../../src/store/postgres/publishing/row-batches.ts';
import {
  createClusterDatabase,
  dropClusterDatabase,
  explainMissingCitus,
} from '../support/citus.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { retryUntil } from '../support/eventually.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { startPausableProxy } from '../support/pausable-proxy.ts';
import { runSql } from '../support/postgres/databases.ts';
import { encodeRow } from '../support/publish-at.ts';
import { createCitusStore, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const DAYS = Array.from({ length: 60 }, (_, index) => formatDay(parseDay('2024-01-01') + index));
const SECURITIES = 40;
const ALL = { kind: 'quotes', dataset: quotes, limit: 1_000 } as const;

describe.skipIf(explainMissingCitus() !== undefined)('while shards are moved', () => {
  test('a stream that started before the move has every record', async () => {
    const store = removing(await createCitusStore());
    await store.publish(quotes, generateQuotes(DAYS, SECURITIES));
    const texts: string[] = [];
    for await (const batch of closing(store.reader()).records(quotes)) {
      if (texts.length === 0) await moveShards(store);
      texts.push(...batch);
    }
    expect(texts).toHaveLength(DAYS.length * SECURITIES);
  }, 120_000);

  test('a check that started before the move finds no fault', async () => {
    const store = removing(await createCitusStore());
    await store.publish(quotes, generateQuotes(DAYS, SECURITIES));
    const inspector = closing(store.inspector());
    let hasMoved = false;
    const slices: StoreInspector['slices'] = async function* (table, revision) {
      for await (const slice of inspector.slices(table, revision)) {
        if (table.distributionColumn !== undefined && !hasMoved) await moveShards(store);
        hasMoved ||= table.distributionColumn !== undefined;
        yield slice;
      }
    };
    expect((await checkDatabase({ ...inspector, slices }, catalogue)).faults).toEqual([]);
  }, 120_000);
});

describe.skipIf(explainMissingCitus() !== undefined)('a load that began before a move', () => {
  test('corrects records of a shard that waits to be moved', async () => {
    const store = removing(await createCitusStore());
    const records = generateQuotes(DAYS, SECURITIES);
    await store.publish(quotes, records);
    const rows = records.map((record) => encodeRow(quotes, { ...record, volume: 77 }));
    let moving: Promise<void> | undefined;
    const connection = new SQL(store.url, { max: 1 });
    await connection.begin(async (transaction) => {
      const batches = new RowBatches(transaction, getStorageTable(quotes), 2);
      const operations = createStagedOperations(batches);
      expect(await operations.insertNew(rows)).toEqual([]);
      moving = moveShards(store);
      await retryUntil(20_000, async () => expect(await findWaitingMoves(store)).toHaveLength(1));
      expect(await operations.findReplaced(rows)).toHaveLength(rows.length);
      await operations.replaceCurrent(rows);
    });
    await connection.close();
    await moving;
    expect(await store.query('SELECT 1 FROM quotes_now_staged')).toEqual([]);
    const corrected = await store.query('SELECT 1 FROM quotes_now WHERE since = 2');
    expect(corrected).toHaveLength(rows.length);
  }, 120_000);
});

describe.skipIf(explainMissingCitus() !== undefined)('while a worker hangs', () => {
  const databases: string[] = [];
  afterEach(async () => {
    for (const name of databases.splice(0)) await dropClusterDatabase(name);
  });

  test('symbols of other workers are read, and those of the worker fail soon', async () => {
    const name = `tenor_test_own_${crypto.randomUUID().replaceAll('-', '')}`;
    databases.push(name);
    const url = await createClusterDatabase(name);
    const [worker] = await runSql(
      url,
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 LIMIT 1',
    );
    using proxy = startPausableProxy(Number(worker?.port));
    // Only this database reaches the worker through the proxy.
    await runSql(url, `SELECT citus_remove_node('${worker?.host}', ${worker?.port})`);
    await runSql(url, `SELECT citus_add_node('127.0.0.1', ${proxy.port})`);
    await migrateStore(url, catalogue, { distribute: true });
    const store = await openStore(url, catalogue);
    const publisher = closing(store.publisher());
    const records = generateQuotes(DAYS.slice(0, 2), SECURITIES);
    await publishRecords(publisher, { dataset: quotes, records, source: 'test', author: 'test' });
    const names = new Set(records.map(({ symbol }) => symbol));
    const symbols = await splitByWorker(url, [...names], proxy.port);
    const reader = closing(store.reader());
    await readAll(reader, [...symbols.proxied, ...symbols.others]);
    proxy.pause();
    const [others, proxied] = await Promise.all([
      readAll(reader, symbols.others),
      readAll(reader, symbols.proxied),
    ]);
    expect(others).toEqual(symbols.others.map(() => 1));
    expect(proxied).toEqual(symbols.proxied.map(() => StoreUnavailableError));
    await expect(reader.read(ALL)).rejects.toThrow('does not answer');
    expect(await readAll(reader, symbols.others)).toEqual(others);
    proxy.resume();
    await retryUntil(20_000, async () => expect((await reader.read(ALL)).count).toBe(SECURITIES));
    reader.close();
  }, 120_000);
});

/** How many quotes each symbol has on the newest day, or with what kind of error it fails. */
function readAll(reader: StoreReader, symbols: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    symbols.map(async (security) => {
      try {
        return (await reader.read({ ...ALL, security })).count;
      } catch (cause) {
        return (cause as Error).constructor;
      }
    }),
  );
}

function findWaitingMoves(store: TestStore) {
  return store.query(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database() AND query LIKE '%citus_move_shard_placement%'`);
}

/** Moves every shard from the worker that it is on to the other one, so that both still have some. */
async function moveShards(store: TestStore): Promise<void> {
  // Shards of other tables that belong together move with those of this one.
  const moves = await store.query(`SELECT shardid, source.nodename AS "fromHost",
      source.nodeport AS "fromPort", target.nodename AS "toHost", target.nodeport AS "toPort"
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
    JOIN pg_dist_node AS source USING (groupid)
    JOIN pg_dist_node AS target ON target.groupid NOT IN (0, source.groupid)
    WHERE logicalrelid = 'quotes_now'::regclass`);
  for (const { shardid, fromHost, fromPort, toHost, toPort } of moves)
    await store.query(`SELECT citus_move_shard_placement(${shardid}, '${fromHost}', ${fromPort},
      '${toHost}', ${toPort}, 'block_writes')`);
}

async function splitByWorker(url: string, symbols: readonly string[], proxyPort: number) {
  const rows = await runSql(
    url,
    `SELECT symbol, nodeport = ${proxyPort} AS proxied FROM unnest(ARRAY['${symbols.join("', '")}']) AS symbol
    JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('quotes_now', symbol)
    JOIN pg_dist_node USING (groupid)`,
  );
  const list = (proxied: boolean) =>
    rows.filter((row) => row.proxied === proxied).map(({ symbol }) => String(symbol));
  return { proxied: list(true), others: list(false) };
}
