import { describe, expect, test } from 'bun:test';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { migrateStore, openStore } from '../../src/store/open-store.ts';
import { distributedDialect } from '../../src/store/postgres/dialect.ts';
import type { QuoteSelection } from '../../src/store/reader.ts';
import type { SqlQuery } from '../../src/store/sql/query-steps.ts';
import { readSelection } from '../../src/store/sql/read-selection.ts';
import { explainMissingCitus } from '../support/citus.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { encodeRow } from '../support/publish-at.ts';
import { publishHistory, readEverything, readRecords } from '../support/published-history.ts';
import { quote } from '../support/quote-fixture.ts';
import { createCitusStore, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const publication = { source: 'test', author: 'test' };

function citusTest(title: string, run: () => Promise<void>): void {
  test(title, run, 120_000);
}

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
    const reopened = await openStore(store.url, catalogue);
    expect(await readEverything(reopened)).toEqual(before);
    const [, size] = (await closing(reopened.reader()).checkpoint())?.split('\n') ?? [];
    expect(Number(size)).toBe((late?.revision ?? 0) - 1);
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
    const rows = [[encodeRow(quotes, quote({ symbol: 'OWN', date: '2030-01-01' }))]];
    await closing(store.publisher()).transaction(async (transaction) => {
      const staged = await transaction.stage({ ...publication, dataset: quotes, rows });
      const selection = { kind: 'quotes', dataset: quotes, limit: 5 } as const;
      results.push(await transaction.read(selection));
      results.push(await transaction.read({ ...selection, asOf: 1 }));
      results.push((await readRecords(transaction, quotes)).length);
      const { entries } = await transaction.securities(quotes);
      results.push(entries.some(({ symbol }) => symbol === 'OWN'));
      await staged.record();
    });
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
