import { afterEach, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { migrateStore, openInspector, openStore, type Store } from '../../src/store/open-store.ts';
import { distributedDialect } from '../../src/store/postgres/dialect.ts';
import type { QuoteSelection } from '../../src/store/selection.ts';
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
const about = { source: 'test', author: 'test' };
const PATIENCE_MS = 120_000;

describe.skipIf(explainMissingCitus() !== undefined)('distributing a database', () => {
  const made: string[] = [];
  afterEach(async () => {
    for (const name of made.splice(0)) await dropClusterDatabase(name);
  });
  const fresh = async () => {
    const name = `tenor_test_own_${crypto.randomUUID().replaceAll('-', '')}`;
    made.push(name);
    return createClusterDatabase(name);
  };

  test(
    'keeps every answer as it was, and is done once',
    async () => {
      const url = await fresh();
      await filled(await openStore(url, catalogue));
      const before = await answersOf(await openStore(url, catalogue));
      const statements = await migrateStore(url, catalogue, { distribute: true });
      expect(statements.join()).toContain("create_distributed_table('quotes_now', 'symbol_key'");
      expect(await answersOf(await openStore(url, catalogue))).toEqual(before);
      expect(await migrateStore(url, catalogue, { distribute: true })).toEqual([]);
      expect(await migrateStore(url, catalogue)).toEqual([]);
      const kinds = await ask(
        url,
        'SELECT partmethod AS kind, count(*)::integer AS count FROM pg_dist_partition GROUP BY 1 ORDER BY 1',
      );
      const whole = 4 + 2 + 2 * (catalogue.length - 1);
      expect([...kinds]).toEqual([
        { kind: 'h', count: 2 },
        { kind: 'n', count: whole },
      ]);
      const [left] = await ask(url, "SELECT pg_relation_size('quotes_now') AS bytes");
      expect(Number(left?.bytes)).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    'is refused while others of Tenor are connected, who would not know',
    async () => {
      const url = await fresh();
      const reader = (await openStore(url, catalogue)).reader();
      await reader.revision();
      const refused = migrateStore(url, catalogue, { distribute: true });
      await expect(refused).rejects.toThrow('stop them first');
      reader.close();
      expect(await migrateStore(url, catalogue, { distribute: true })).not.toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'puts the tables of a later dataset on every machine, too',
    async () => {
      const url = await fresh();
      await migrateStore(url, catalogue, { distribute: true });
      const series = catalogue.find(({ shape }) => shape === 'series') as Dataset;
      const dataset = { ...series, name: 'eleventh-series' };
      const statements = await migrateStore(url, [...catalogue, dataset]);
      expect(statements).toContain("SELECT create_reference_table('eleventh_series_now')");
      const store = await openStore(url, [...catalogue, dataset]);
      await publishRecords(closing(store.publisher()), {
        ...about,
        dataset,
        records: readFixture(series),
      });
      const { count } = await closing(store.reader()).read({ kind: 'series', dataset });
      expect(count).toBe(readFixture(series).length);
    },
    PATIENCE_MS,
  );

  test(
    'puts the tables of a later dataset on every machine when it is only looked into, too',
    async () => {
      const url = await fresh();
      await migrateStore(url, catalogue, { distribute: true });
      const series = catalogue.find(({ shape }) => shape === 'series') as Dataset;
      const dataset = { ...series, name: 'eleventh-series' };
      closing(await openInspector(url, [...catalogue, dataset]));
      const placed = await ask(
        url,
        "SELECT 1 AS one FROM pg_dist_partition WHERE logicalrelid = 'eleventh_series_now'::regclass",
      );
      expect(placed).toHaveLength(1);
    },
    PATIENCE_MS,
  );

  test(
    'needs a coordinator that knows its workers, and says so',
    async () => {
      const url = await fresh();
      const nodes = await ask(url, 'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0');
      for (const { nodename, nodeport } of nodes) {
        await ask(url, `SELECT citus_remove_node('${nodename}', ${nodeport})`);
      }
      const refused = migrateStore(url, catalogue, { distribute: true });
      await expect(refused).rejects.toThrow(/^cannot distribute .*there are no workers/);
      expect(await ask(url, "SELECT 1 FROM pg_class WHERE relname = 'revisions'")).toHaveLength(0);
    },
    PATIENCE_MS,
  );
});

describe.skipIf(explainMissingCitus() !== undefined)('a distributed database', () => {
  const freshStore = async () => removing(await createCitusStore());

  test(
    'asks one machine about one symbol, and all of them for no more than the limit',
    async () => {
      const store = await freshStore();
      await filled(store);
      const of = (asked: Partial<QuoteSelection>) =>
        plansOf(store, { kind: 'quotes', dataset: quotes, limit: 7, ...asked });
      const year = ['2000-01-01', '2099-12-31'] as const;
      for (const asked of [
        {},
        { dateRange: year },
        { dateRange: year, type: 'bond' },
        { asOf: 2 },
      ]) {
        const one = await of({ ...asked, security: 'x' });
        expect(one).toMatch(/Task Count: 1\n/);
        expect(one).not.toMatch(/Subplan|Task Count: [2-9]/);
        const all = await of(asked);
        expect(all).toMatch(/Task Count: 4\n/);
        // Below what each machine is given to do.
        expect(all.slice(all.indexOf('Task Count: 4'))).toMatch(
          /Tasks Shown[\s\S]*Node:[\s\S]*-> {2}Limit/,
        );
      }
    },
    PATIENCE_MS,
  );

  test(
    'shows nothing of a revision whose publisher ended too early, until the next one has ended it',
    async () => {
      const store = await freshStore();
      await filled(store);
      const before = await answersOf(store);
      const late = await store.publish(quotes, [quote({ symbol: 'LATE', date: '2030-01-01' })]);
      await unsettle(store, late?.revision ?? 0);
      // Opened anew: nobody has seen the revision before it was shown.
      expect(await answersOf(await openStore(store.url, catalogue))).toEqual(before);
      const next = await store.publish(quotes, [quote({ symbol: 'NEXT', date: '2030-01-01' })]);
      expect(next?.revision).toBe((late?.revision ?? 0) + 1);
      const { records } = await closing(store.reader()).read({
        kind: 'quotes',
        dataset: quotes,
        limit: 10,
      });
      expect(records).toMatch(/LATE.*NEXT/);
      expect((await checkDatabase(closing(store.inspector()), catalogue)).faults).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'shows a publisher what it has written, before there is an entry of it',
    async () => {
      const store = await freshStore();
      await store.publish(quotes, readFixture(quotes));
      const found: unknown[] = [];
      const records = [quote({ symbol: 'MINE', date: '2030-01-01' })];
      await closing(store.publisher()).transaction((transaction) =>
        publishRecords(transaction, {
          ...about,
          dataset: quotes,
          records,
          async finalize() {
            const selection = { kind: 'quotes', dataset: quotes, limit: 5 } as const;
            found.push(await transaction.read(selection));
            found.push(await transaction.read({ ...selection, asOf: 1 }));
            const texts: string[] = [];
            for await (const batch of transaction.records(quotes)) texts.push(...batch);
            found.push(texts.length);
            const { entries } = await transaction.securities(quotes);
            found.push(entries.some(({ symbol }) => symbol === 'MINE'));
            return {};
          },
        }),
      );
      const count = readFixture(quotes).length + 1;
      expect(found).toMatchObject([{ revision: 1, count: 1 }, { revision: 1 }, count, true]);
      expect(found[0]).toMatchObject({ records: expect.stringContaining('MINE') });
      expect(found[1]).not.toMatchObject({ records: expect.stringContaining('MINE') });
    },
    PATIENCE_MS,
  );

  test(
    'gets what a publisher left to do from a migration, too',
    async () => {
      const store = await freshStore();
      await store.publish(quotes, readFixture(quotes));
      await unsettle(store, 1);
      expect(await closing(store.reader()).revision()).toBe(0);
      await migrateStore(store.url, catalogue);
      expect(await closing(store.reader()).revision()).toBe(1);
    },
    PATIENCE_MS,
  );

  test(
    'keeps a revision back as long as a machine lacks some of its records',
    async () => {
      const store = await freshStore();
      await store.publish(quotes, readFixture(quotes));
      await unsettle(store, 1);
      const [{ symbol_key: lost } = {}] = await store.query(
        'SELECT symbol_key FROM quotes_now LIMIT 1',
      );
      const held = await store.query(`SELECT * FROM quotes_now WHERE symbol_key = '${lost}'`);
      await store.query(`DELETE FROM quotes_now WHERE symbol_key = '${lost}'`);
      const migrating = migrateStore(store.url, catalogue);
      await Bun.sleep(500);
      expect(await closing(store.reader()).revision()).toBe(0);
      for (const row of held) {
        const values = Object.values(row).map(
          (value) => `'${String(value).replaceAll("'", "''")}'`,
        );
        await store.query(`INSERT INTO quotes_now VALUES (${values.join(', ')})`);
      }
      await migrating;
      expect(await closing(store.reader()).revision()).toBe(1);
    },
    PATIENCE_MS,
  );

  test(
    'is walked and checked in parts, which leave nothing out',
    async () => {
      const store = await freshStore();
      const days = Array.from({ length: 300 }, (_, index) =>
        new Date(Date.UTC(1950, 0, 1) + index * index * 86_400_000).toISOString().slice(0, 10),
      );
      const records = days.flatMap((date) => ['A', 'B'].map((symbol) => quote({ date, symbol })));
      await store.publish(quotes, records);
      const corrected = records.slice(100, 200).map((record) => ({ ...record, volume: 77 }));
      await store.publish(quotes, corrected);
      const walked: string[] = [];
      for await (const batch of closing(store.reader()).records(quotes)) walked.push(...batch);
      const places = walked
        .map((text) => JSON.parse(text))
        .map(({ date, symbol }) => date + symbol);
      expect(places).toEqual(days.toReversed().flatMap((date) => [`${date}A`, `${date}B`]));
      const checked = await checkDatabase(closing(store.inspector()), catalogue);
      expect(checked).toMatchObject({ revisions: 2, rows: 700, faults: [] });
    },
    PATIENCE_MS,
  );
});

/** Publishes every dataset's fixture, then corrects and retires some. */
async function filled(store: Store): Promise<void> {
  const publisher = store.publisher();
  for (const dataset of catalogue) {
    await publishRecords(publisher, { ...about, dataset, records: readFixture(dataset) });
  }
  const [first, ...rest] = readFixture(quotes);
  const records = rest.map((record, index) => (index % 2 ? record : { ...record, volume: 1 }));
  expect(first).toBeDefined();
  await publishRecords(publisher, { ...about, dataset: quotes, records, replace: true });
  publisher.close();
}

/** What a reader tells of everything there is and was. */
async function answersOf(store: Store): Promise<unknown> {
  const reader = store.reader();
  const answers: unknown[] = [await reader.revision(), await reader.coverage(catalogue)];
  for (const dataset of catalogue) {
    for (const asOf of [undefined, 1, catalogue.length]) {
      const texts: string[] = [];
      for await (const batch of reader.records(dataset, asOf)) texts.push(...batch);
      answers.push(texts);
    }
  }
  answers.push(await reader.securities(quotes), await reader.changes(quotes, 13, 100));
  answers.push(
    await reader.read({ kind: 'quotes', dataset: quotes, limit: 3, includeTotal: true }),
  );
  reader.close();
  return answers;
}

/** Makes it as if the publisher of a revision had ended before the ledger had it. */
async function unsettle(store: TestStore, revision: number): Promise<void> {
  await store.query(
    `INSERT INTO tenor_unsettled SELECT revision, row_to_json(made) FROM revisions AS made
      WHERE revision = ${revision}`,
  );
  await store.query(`DELETE FROM revisions WHERE revision = ${revision}`);
}

/** How the cluster would go about what a selection asks, after the look into the ledger. */
async function plansOf(store: TestStore, selection: QuoteSelection): Promise<string> {
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

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = new SQL(url, { max: 1 });
  try {
    return await connection.unsafe(sql);
  } finally {
    await connection.close();
  }
}
