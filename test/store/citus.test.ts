import { afterEach, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { formatDay, parseDay } from '../../src/calendar.ts';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import {
  migrateStore,
  openInspector,
  openStore,
  type Store,
  type StoreQueries,
} from '../../src/store/open-store.ts';
import { distributedDialect } from '../../src/store/postgres/dialect.ts';
import type { QuoteSelection } from '../../src/store/reader.ts';
import type { SqlQuery } from '../../src/store/sql/query-steps.ts';
import { readSelection } from '../../src/store/sql/read-selection.ts';
import {
  createClusterDatabase,
  dropClusterDatabase,
  explainMissingCitus,
} from '../support/citus.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { quote } from '../support/quote-fixture.ts';
import { createCitusStore, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const publication = { source: 'test', author: 'test' };
const series = catalogue.find(({ shape }) => shape === 'series') as Dataset;
const newDataset = { ...series, name: 'eleventh-series' };

function citusTest(title: string, run: () => Promise<void>): void {
  test(title, run, 120_000);
}

describe.skipIf(explainMissingCitus() !== undefined)('distributing a database', () => {
  const databases: string[] = [];
  afterEach(async () => {
    for (const name of databases.splice(0)) await dropClusterDatabase(name);
  });
  const createDatabase = async () => {
    const name = `tenor_test_own_${crypto.randomUUID().replaceAll('-', '')}`;
    databases.push(name);
    return createClusterDatabase(name);
  };

  citusTest('keeps every response, and is done once', async () => {
    const url = await createDatabase();
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    const statements = await migrateStore(url, catalogue, { distribute: true });
    expect(statements.join()).toContain("create_distributed_table('quotes_now', 'symbol_key'");
    expect(await readEverything(await openStore(url, catalogue))).toEqual(before);
    expect(await migrateStore(url, catalogue, { distribute: true })).toEqual([]);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    const kinds = await runSql(
      url,
      'SELECT partmethod AS kind, count(*)::integer AS count FROM pg_dist_partition GROUP BY 1 ORDER BY 1',
    );
    // Four shared tables, the terms of securities and the summary by days.
    const referenceTables = 4 + 2 + 1 + 2 * (catalogue.length - 1);
    // Quotes, those of the past, those staged, and the summary by securities.
    expect([...kinds]).toEqual([
      { kind: 'h', count: 4 },
      { kind: 'n', count: referenceTables },
    ]);
    const [localTable] = await runSql(url, "SELECT pg_relation_size('quotes_now') AS bytes");
    expect(Number(localTable?.bytes)).toBe(0);
  });

  citusTest(
    'is up to date with the role of a reader, which Citus cannot grant a column',
    async () => {
      const url = await createDatabase();
      const readers = await runSql(url, "SELECT 1 FROM pg_roles WHERE rolname = 'tenor_reader'");
      // It is kept, as databases are: privileges in any of them would keep it from being dropped.
      if (readers.length === 0) await runSql(url, 'CREATE ROLE tenor_reader');
      await migrateStore(url, catalogue, { distribute: true });
      expect(await migrateStore(url, catalogue)).toEqual([]);
    },
  );

  citusTest('is upgraded from the version before summaries', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    for (const sql of [
      'DROP TABLE quotes_days, quotes_securities, quotes_now_staged CASCADE',
      'CREATE INDEX quotes_now_by_spelling ON quotes_now (symbol)',
      'CREATE INDEX quotes_past_by_spelling ON quotes_past (symbol)',
      'UPDATE tenor_schema SET version = 10',
    ])
      await runSql(url, sql);
    await migrateStore(url, catalogue);
    const store = await openStore(url, catalogue);
    expect(await readEverything(store)).toEqual(before);
    const inspector = store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
    await migrateStore(url, catalogue);
    expect(
      await runSql(url, "SELECT relname FROM pg_class WHERE relname LIKE '%by_spelling'"),
    ).toHaveLength(0);
  });

  citusTest('has an index replaced on every shard, whatever an interrupted run left', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    for (const sql of [
      'DROP INDEX quotes_now_by_isin',
      'CREATE INDEX quotes_now_by_isin ON quotes_now (isin_key)',
      'CREATE INDEX quotes_now_by_isin_new ON quotes_now (symbol)',
    ])
      await runSql(url, sql);
    expect((await migrateStore(url, catalogue)).slice(0, 3)).toEqual([
      'DROP INDEX CONCURRENTLY quotes_now_by_isin_new',
      'CREATE INDEX CONCURRENTLY quotes_now_by_isin_new ON quotes_now (isin_key, date, symbol DESC)',
      'BEGIN',
    ]);
    const store = await openStore(url, catalogue);
    expect(await readEverything(store)).toEqual(before);
    expect(await migrateStore(url, catalogue)).toEqual([
      'DROP INDEX CONCURRENTLY quotes_now_by_isin_old',
    ]);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    const definitions = await runSql(
      url,
      `SELECT DISTINCT result FROM run_command_on_shards('quotes_now', $$SELECT string_agg(
        regexp_replace(indexdef, '.* USING', ''), '') FROM pg_indexes
        WHERE tablename = '%s' AND indexname LIKE 'quotes_now_by_isin%%'$$)`,
    );
    expect([...definitions]).toEqual([{ result: ' btree (isin_key, date, symbol DESC)' }]);
  });

  citusTest('is found by date and symbol through the typed view', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const [first] = await runSql(
      url,
      'SELECT date::text, symbol FROM quotes ORDER BY 1, 2 LIMIT 1',
    );
    const sql = `SELECT count(*)::integer AS count FROM quotes
      WHERE date = '${first?.date}' AND symbol = '${first?.symbol}'`;
    expect([...(await runSql(url, sql))]).toEqual([{ count: 1 }]);
  });

  citusTest('is rejected while other processes of Tenor are connected', async () => {
    const url = await createDatabase();
    const reader = (await openStore(url, catalogue)).reader();
    await reader.revision();
    const migration = migrateStore(url, catalogue, { distribute: true });
    await expect(migration).rejects.toThrow('stop them first');
    reader.close();
    expect(await migrateStore(url, catalogue, { distribute: true })).not.toEqual([]);
  });

  citusTest('copies the tables of a new dataset to every node', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    const statements = await migrateStore(url, [...catalogue, newDataset]);
    expect(statements).toContain("SELECT create_reference_table('eleventh_series_now')");
    const store = await openStore(url, [...catalogue, newDataset]);
    await publishRecords(closing(store.publisher()), {
      ...publication,
      dataset: newDataset,
      records: readFixture(series),
    });
    const { count } = await closing(store.reader()).read({ kind: 'series', dataset: newDataset });
    expect(count).toBe(readFixture(series).length);
  });

  citusTest('is not inspected before the tables of a new dataset are created', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    const inspection = openInspector(url, [...catalogue, newDataset]);
    await expect(inspection).rejects.toThrow(/lacks tables.*run tenor migrate/);
  });

  citusTest('is rejected without workers', async () => {
    const url = await createDatabase();
    const nodes = await runSql(
      url,
      'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0',
    );
    for (const { nodename, nodeport } of nodes) {
      await runSql(url, `SELECT citus_remove_node('${nodename}', ${nodeport})`);
    }
    const migration = migrateStore(url, catalogue, { distribute: true });
    await expect(migration).rejects.toThrow(/^cannot distribute .*there are no workers/);
    expect(await runSql(url, "SELECT 1 FROM pg_class WHERE relname = 'revisions'")).toHaveLength(0);
  });
});

describe.skipIf(explainMissingCitus() !== undefined)('a distributed database', () => {
  const openCitusStore = async () => removing(await createCitusStore());

  citusTest('queries one node for one symbol, and all nodes for at most the limit', async () => {
    const store = await openCitusStore();
    await publishHistory(store);
    const explain = (selection: Partial<QuoteSelection>) =>
      explainSelection(store, { kind: 'quotes', dataset: quotes, limit: 7, ...selection });
    const dateRange = ['2000-01-01', '2099-12-31'] as const;
    for (const selection of [{}, { dateRange }, { dateRange, type: 'bond' }, { asOf: 2 }]) {
      const symbolPlan = await explain({ ...selection, security: 'x' });
      expect(symbolPlan).toMatch(/Task Count: 1\n/);
      expect(symbolPlan).not.toMatch(/Subplan|Task Count: [2-9]/);
      const plan = await explain(selection);
      expect(plan).toMatch(/Task Count: 4\n/);
      // Each node applies the limit.
      expect(plan.slice(plan.indexOf('Task Count: 4'))).toMatch(
        /Tasks Shown[\s\S]*Node:[\s\S]*-> {2}Limit/,
      );
    }
  });

  citusTest('does not show a pending revision until the next publisher publishes it', async () => {
    const store = await openCitusStore();
    await publishHistory(store);
    const before = await readEverything(store);
    const late = await store.publish(quotes, [quote({ symbol: 'LATE', date: '2030-01-01' })]);
    await makePending(store, late?.revision ?? 0);
    // Opened again, because the first store has read the revision.
    expect(await readEverything(await openStore(store.url, catalogue))).toEqual(before);
    const next = await store.publish(quotes, [quote({ symbol: 'NEXT', date: '2030-01-01' })]);
    expect(next?.revision).toBe((late?.revision ?? 0) + 1);
    const { records } = await closing(store.reader()).read({
      kind: 'quotes',
      dataset: quotes,
      limit: 10,
    });
    expect(records).toMatch(/LATE.*NEXT/);
    expect((await checkDatabase(closing(store.inspector()), catalogue)).faults).toEqual([]);
  });

  citusTest('shows a publisher its own rows before the ledger has their revision', async () => {
    const store = await openCitusStore();
    await store.publish(quotes, readFixture(quotes));
    const results: unknown[] = [];
    const records = [quote({ symbol: 'OWN', date: '2030-01-01' })];
    await closing(store.publisher()).transaction((transaction) =>
      publishRecords(transaction, {
        ...publication,
        dataset: quotes,
        records,
        async finalize() {
          const selection = { kind: 'quotes', dataset: quotes, limit: 5 } as const;
          results.push(await transaction.read(selection));
          results.push(await transaction.read({ ...selection, asOf: 1 }));
          results.push((await readRecords(transaction, quotes)).length);
          const { entries } = await transaction.securities(quotes);
          results.push(entries.some(({ symbol }) => symbol === 'OWN'));
          return {};
        },
      }),
    );
    const count = readFixture(quotes).length + 1;
    expect(results).toMatchObject([{ revision: 1, count: 1 }, { revision: 1 }, count, true]);
    expect(results[0]).toMatchObject({ records: expect.stringContaining('OWN') });
    expect(results[1]).not.toMatchObject({ records: expect.stringContaining('OWN') });
  });

  citusTest(
    'does not publish a pending revision while a node lacks some of its records',
    async () => {
      const store = await openCitusStore();
      await store.publish(quotes, readFixture(quotes));
      await makePending(store, 1);
      const [{ symbol_key: symbol } = {}] = await store.query(
        'SELECT symbol_key FROM quotes_now LIMIT 1',
      );
      const rows = await store.query(`SELECT * FROM quotes_now WHERE symbol_key = '${symbol}'`);
      await store.query(`DELETE FROM quotes_now WHERE symbol_key = '${symbol}'`);
      const migration = migrateStore(store.url, catalogue);
      await Bun.sleep(500);
      expect(await closing(store.reader()).revision()).toBe(0);
      for (const row of rows) {
        const values = Object.values(row).map(
          (value) => `'${String(value).replaceAll("'", "''")}'`,
        );
        await store.query(`INSERT INTO quotes_now VALUES (${values.join(', ')})`);
      }
      await migration;
      expect(await closing(store.reader()).revision()).toBe(1);
    },
  );

  citusTest('corrects and retires more records than fit into a batch', async () => {
    const store = await openCitusStore();
    const records = Array.from({ length: 10_500 }, (_, index) =>
      quote({ date: formatDay(parseDay('1990-01-01') + index), symbol: `S${index % 7}` }),
    );
    await store.publish(quotes, records);
    const publisher = closing(store.publisher());
    const publish = (changed: readonly Quote[], replace = false) =>
      publishRecords(publisher, { ...publication, dataset: quotes, records: changed, replace });
    const corrected = records.map((record) => ({ ...record, volume: 77 }));
    expect(await publish(corrected)).toMatchObject({ added: 0, corrected: 10_500 });
    // A key that comes again in a later batch is a duplicate, whether it was corrected or not.
    const [unchanged, other] = corrected as [Quote, Quote];
    for (const [first, again] of [
      [unchanged, { ...unchanged, volume: 78 }],
      [{ ...other, volume: 78 }, other],
    ] as const) {
      const rest = corrected.slice(2).map((record) => ({ ...record, volume: 79 }));
      await expect(publish([first, ...rest, again])).rejects.toThrow('is given twice');
    }
    expect(await publish(corrected.slice(0, 3), true)).toMatchObject({
      unchanged: 3,
      retired: 10_497,
    });
    expect(await store.query('SELECT 1 FROM quotes_now_staged')).toEqual([]);
    const result = await checkDatabase(closing(store.inspector()), catalogue);
    expect(result).toMatchObject({ revisions: 3, rows: 21_000, faults: [] });
  });

  citusTest('streams and checks all records in slices of days', async () => {
    const store = await openCitusStore();
    const days = Array.from({ length: 300 }, (_, index) =>
      new Date(Date.UTC(1950, 0, 1) + index * index * 86_400_000).toISOString().slice(0, 10),
    );
    const records = days.flatMap((date) => ['A', 'B'].map((symbol) => quote({ date, symbol })));
    await store.publish(quotes, records);
    const corrected = records.slice(100, 200).map((record) => ({ ...record, volume: 77 }));
    await store.publish(quotes, corrected);
    const texts = await readRecords(closing(store.reader()), quotes);
    const keys = texts.map((text) => JSON.parse(text)).map(({ date, symbol }) => date + symbol);
    expect(keys).toEqual(days.toReversed().flatMap((date) => [`${date}A`, `${date}B`]));
    const result = await checkDatabase(closing(store.inspector()), catalogue);
    expect(result).toMatchObject({ revisions: 2, rows: 700, faults: [] });
  });
});

/** Publishes every dataset's fixture, then corrects and retires some. */
async function publishHistory(store: Store): Promise<void> {
  const publisher = store.publisher();
  for (const dataset of catalogue) {
    await publishRecords(publisher, { ...publication, dataset, records: readFixture(dataset) });
  }
  const [first, ...rest] = readFixture(quotes);
  const records = rest.map((record, index) => (index % 2 ? record : { ...record, volume: 1 }));
  expect(first).toBeDefined();
  await publishRecords(publisher, { ...publication, dataset: quotes, records, replace: true });
  publisher.close();
}

/** The results of all kinds of queries. */
async function readEverything(store: Store): Promise<unknown> {
  const reader = store.reader();
  const results: unknown[] = [await reader.revision(), await reader.coverage(catalogue)];
  for (const dataset of catalogue) {
    for (const asOf of [undefined, 1, catalogue.length]) {
      results.push(await readRecords(reader, dataset, asOf));
    }
  }
  results.push(await reader.securities(quotes), await reader.changes(quotes, 13, 100));
  results.push(
    await reader.read({ kind: 'quotes', dataset: quotes, limit: 3, includeTotal: true }),
  );
  reader.close();
  return results;
}

/** Makes a revision pending, as if its publisher had been killed before the ledger had it. */
async function makePending(store: TestStore, revision: number): Promise<void> {
  await store.query(
    `INSERT INTO tenor_unsettled SELECT revision, row_to_json(entry) FROM revisions AS entry
      WHERE revision = ${revision}`,
  );
  await store.query(`DELETE FROM revisions WHERE revision = ${revision}`);
}

/** The plan of the second statement of a selection, after that of the ledger. */
async function explainSelection(store: TestStore, selection: QuoteSelection): Promise<string> {
  const steps = readSelection(selection, distributedDialect);
  const first = steps.next();
  if (first.done) throw new Error('there are no steps');
  const ledger = await store.query(inlineValues(first.value));
  const second = steps.next(ledger);
  if (second.done) throw new Error('there is one step');
  const rows = await store.query(`EXPLAIN (COSTS OFF) ${inlineValues(second.value)}`);
  return rows.map((row) => `${Object.values(row)[0]}\n`).join('');
}

function inlineValues({ sql, values = [] }: SqlQuery): string {
  let index = 0;
  const text = (value: unknown) =>
    typeof value === 'string' ? `'${value}'` : String(Math.min(Number(value), 2_147_483_647));
  return sql.replace(/\?/g, () => text(values[index++]));
}

async function readRecords(queries: StoreQueries, ...options: [Dataset, number?]) {
  return (await Array.fromAsync(queries.records(...options))).flat();
}

async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = new SQL(url, { max: 1 });
  try {
    return await connection.unsafe(sql);
  } finally {
    await connection.close();
  }
}
