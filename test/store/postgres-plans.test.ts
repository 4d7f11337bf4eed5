import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { getSummaryTables, type SummaryTables } from '../../src/schema/summary-tables.ts';
import type { QuoteSelection } from '../../src/store/open-store.ts';
import { createReadPool } from '../../src/store/postgres/connection-pool.ts';
import { singleServerDialect as dialect } from '../../src/store/postgres/dialect.ts';
import { symbolsStatement } from '../../src/store/sql/discovery-statements.ts';
import type { SqlStatement } from '../../src/store/sql/query-steps.ts';
import { isinQuotesStatement, quotesStatement } from '../../src/store/sql/quote-statements.ts';
import { readQuotesOfSecurities } from '../../src/store/sql/read-quotes-of-securities.ts';
import type { LocatedRecords } from '../../src/store/sql/select-records.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { createPostgresStore, type TestStore } from '../support/store.ts';

const base = { kind: 'quotes', dataset: quotes, limit: 100, security: 'x' } as const;
const dateRange = ['2026-01-01', '2026-01-31'] as const;
const asOf: LocatedRecords = {
  revision: 3,
  tables: 'both',
  newestDay: null,
  needsPlannerHints: dialect.needsPlannerHints,
};
const LONG_SYMBOL = 'x'.repeat(101);

describe.skipIf(explainMissingPostgres() !== undefined)('the quotes of a security', () => {
  let store: TestStore;
  let pool: SQL;
  beforeAll(async () => {
    // Plans depend on what the tables hold, so they are not those of an earlier test.
    store = await createPostgresStore();
    for (const volume of [100, 101]) await store.publish(quotes, buildQuotes(volume));
    await store.query('VACUUM ANALYZE');
    pool = createReadPool(store.url, 1, { poolSize: 1, isDistributed: false });
  }, 120_000);
  afterAll(async () => {
    await pool.close();
    await store.remove();
  });

  test.each<[string, Partial<QuoteSelection>]>([
    ['in a date range', { dateRange }],
    ['of a type in a date range', { dateRange, type: 'bond' }],
    ['up to a day', { notAfter: dateRange[1] }],
  ])('%s are read from the index alone, whatever the values', async (_, selection) => {
    const options = { dialect };
    const statements = [
      quotesStatement({ ...base, ...selection }, options),
      isinQuotesStatement({ ...base, ...selection }, options),
    ];
    for (const statement of statements) {
      const plan = await explain(statement);
      for (const scan of findScans(plan)) expect(scan).toBe(INDEX_ONLY_SCAN);
      expect(plan).not.toContain('->  Sort');
    }
  });

  test('oldest first are read from the same index', async () => {
    const selection = { ...base, dateRange, isOldestFirst: true };
    const plan = await explain(quotesStatement(selection, { dialect }));
    expect(findScans(plan)).toEqual([INDEX_ONLY_SCAN]);
    expect(plan).not.toContain('->  Sort');
    // The newest revision is the first of its index, not the result of another plan.
    expect(plan).not.toContain('->  Result');
  });

  test.each<[string, Partial<QuoteSelection>]>([
    ['newest', {}],
    ['of a date range', { dateRange }],
    ['of a date range, oldest first', { dateRange, isOldestFirst: true }],
    ['of the next page', { dateRange, after: ['2026-01-20', 'S1'] }],
  ])('the quotes of several, %s, are read from the index of each alone', async (_, filter) => {
    const { security: _security, ...selection } = { ...base, ...filter };
    const symbols = ['S1', 'S2', 'S3'];
    const steps = readQuotesOfSecurities(selection, symbols, { dialect, asOf: undefined });
    steps.next();
    const { value } = steps.next(symbols.map((key) => ({ key })));
    const plan = await explain(value as SqlStatement);
    const scans = findScans(plan);
    expect(scans.length).toBeGreaterThanOrEqual(3);
    for (const scan of scans) expect(scan).toBe(INDEX_ONLY_SCAN);
    expect(plan).not.toContain('->  Sort');
  });

  test('as of a revision are read from the indexes of both tables alone', async () => {
    const plan = await explain(quotesStatement({ ...base, dateRange }, { dialect, asOf }));
    expect(findScans(plan)).toEqual([
      INDEX_ONLY_SCAN,
      INDEX_ONLY_SCAN.replaceAll('quotes_now', 'quotes_past'),
    ]);
    expect(plan).not.toContain('->  Sort');
  });

  test('first and last as of a revision are read from the indexes of both tables alone', async () => {
    const { securities } = getSummaryTables(quotes) as SummaryTables;
    const asOfDay = { ...asOf, newestDay: dateRange[1] };
    const statement = symbolsStatement(getStorageTable(quotes), securities, dialect, asOfDay);
    const scans = findScans(await explain(statement)).filter((scan) => !scan.includes('_long'));
    expect(scans).toHaveLength(4);
    for (const scan of scans)
      expect(scan.replaceAll('quotes_past', 'quotes_now')).toBe(INDEX_ONLY_SCAN);
  });

  test('on a day are found by an index through the typed view, too', async () => {
    const sql = "SELECT * FROM quotes WHERE date = DATE '2026-01-05' AND symbol = 'x'";
    const plan = (await explain({ sql, values: [] })).replace(/::text/g, '');
    expect(plan).toContain('Scan using quotes_now_key on quotes_now');
    expect(plan).toContain("Index Cond: ((date = quotes_days.date) AND (symbol = 'x'))");
    expect(plan).not.toContain('Seq Scan on quotes_now');
  });

  test('have the types of their fields in the typed view', async () => {
    const columns = await store.query(`SELECT column_name AS name, data_type AS type
      FROM information_schema.columns WHERE table_name = 'quotes' ORDER BY ordinal_position`);
    const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({
      date: 'date',
      symbol: 'text',
      type: 'text',
      ytm: 'double precision',
    });
    const sql =
      "SELECT date::text, symbol, type, volume FROM quotes WHERE date = '2026-01-05' LIMIT 1";
    expect(await store.query(sql)).toEqual([
      { date: '2026-01-05', symbol: expect.any(String), type: quotes.example.type, volume: 101 },
    ]);
  });

  test('whose symbol is too long for that index are found by another', async () => {
    const statement = quotesStatement({ ...base, security: LONG_SYMBOL, dateRange }, { dialect });
    expect(findScans(await explain(statement))).toEqual([
      'Index Scan using quotes_now_by_symbol_long on quotes_now',
    ]);
  });

  /** The plan for any values, as the pool makes it. */
  async function explain({ sql, values }: SqlStatement): Promise<string> {
    let count = 0;
    const numbered = sql.replaceAll('?', () => `$${++count}`);
    const literals = values.map((value) => (typeof value === 'string' ? `'${value}'` : value));
    await pool.unsafe(`PREPARE explained AS ${numbered}`);
    const rows = await pool.unsafe(
      `EXPLAIN (COSTS OFF) EXECUTE explained${literals.length > 0 ? ` (${literals.join(', ')})` : ''}`,
    );
    await pool.unsafe('DEALLOCATE explained');
    return rows.map((row: object) => Object.values(row)[0]).join('\n');
  }
});

function buildQuotes(volume: number) {
  return Array.from({ length: 40 * 60 }, (_, index) => ({
    ...quotes.example,
    symbol: `S${index % 40}`,
    date: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 40))).toISOString().slice(0, 10),
    volume,
  }));
}

const INDEX_ONLY_SCAN = 'Index Only Scan using quotes_now_by_symbol on quotes_now';

/** The scans of tables of quotes, in either direction. */
function findScans(plan: string): string[] {
  const scans = plan.match(/\w[\w ]* on quotes_(now|past)\b/g) ?? [];
  expect(scans.length).toBeGreaterThan(0);
  return scans.map((scan) => scan.replace(' Backward', ''));
}
