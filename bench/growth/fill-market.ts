import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { listWeekdays } from '../million-quotes.ts';

/** The days of every market; markets differ in their securities. */
export const days = listWeekdays('2026-06-30', 2_500);

const FIRST_SYMBOL = 10_000;
const FIRST_ISIN = 1_000_000_000;

/** Symbols with a fixed number of digits, so that they sort by number. */
export const listSymbols = (securities: number) =>
  Array.from({ length: securities }, (_, n) => `ZZ${FIRST_SYMBOL + n}TB`);

export const listIsins = (securities: number) =>
  Array.from({ length: securities }, (_, n) => `ZZ${FIRST_ISIN + n}`);

export interface MarketSize {
  readonly securities: number;
}

/**
 * Fills an empty SQLite file with a market in plain SQL, because publishing ten million quotes takes
 * too long. Indexes are created after the rows.
 */
export async function fillSqlite(path: string, market: MarketSize): Promise<void> {
  await openStore(`sqlite:${path}`, catalogue);
  const database = new Database(path, { readwrite: true });
  // What one transaction adds to a file is not journalled, only what it changes.
  database.run('PRAGMA journal_mode = MEMORY');
  database.run('PRAGMA synchronous = OFF');
  database.run('PRAGMA cache_size = -1048576');
  const indexes = database
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql <> '' AND tbl_name = 'quotes_now'",
    )
    .all();
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`);
  database.run('BEGIN');
  // In the order of the primary key: newest day first.
  for (const sql of generateStatements(market, [...days.keys()].toReversed())) database.run(sql);
  database.run('COMMIT');
  for (const { sql } of indexes) database.run(sql);
  database.close();
  await openStore(`sqlite:${path}`, catalogue);
}

/** Fills an empty PostgreSQL database with the same market, in the order of its days. */
export async function fillPostgres(url: string, market: MarketSize): Promise<void> {
  await openStore(url, catalogue);
  const pool = new SQL(url, { max: 1 });
  await pool.begin(async (connection) => {
    const indexQuery = "SELECT indexname AS name FROM pg_indexes WHERE tablename = 'quotes_now'";
    for (const { name } of await connection.unsafe(indexQuery)) {
      await connection.unsafe(`DROP INDEX ${name}`);
    }
    for (const sql of generateStatements(market, days.keys())) await connection.unsafe(sql);
  });
  await openStore(url, catalogue);
  await pool.unsafe('VACUUM ANALYZE quotes_now');
  await pool.close();
}

/** The statements for the quotes of all days and their revision, for both engines. */
export function* generateStatements(
  { securities }: MarketSize,
  dayIndexes: Iterable<number>,
): Generator<string> {
  yield 'CREATE TEMP TABLE securities (n INTEGER)';
  const numbers = Array.from({ length: securities }, (_, n) => `(${n})`);
  yield `INSERT INTO securities VALUES ${numbers.join()}`;
  yield `INSERT INTO quotes_securities (symbol_key, symbol, isin_key, since)
    SELECT ${SYMBOL_SQL}, ${SYMBOL_SQL}, ${ISIN_SQL}, 1 FROM securities`;
  for (const day of dayIndexes) {
    yield buildInsertSql(day, buildFields(day));
    yield `INSERT INTO quotes_days (date, type, revision, difference)
      SELECT '${days[day]}', ${TYPE_SQL}, 1, count(*) FROM securities GROUP BY 2`;
  }
  const counts = `${securities * days.length}, 0, 0, 0`;
  yield `INSERT INTO revisions (revision, dataset, published_at, source, author, sample,
    added, corrected, retired, unchanged, newest, checksum)
    VALUES (1, 'quotes', '2026-07-01T00:00:00.000Z', 'bench', 'bench', 1, ${counts},
    '${days.at(-1)}', 'none')`;
}

const SYMBOL_SQL = `'ZZ' || (${FIRST_SYMBOL} + n) || 'TB'`;
const ISIN_SQL = `'ZZ' || (${FIRST_ISIN} + n)`;
const TYPE_SQL = "CASE n % 3 WHEN 0 THEN 'tbill' WHEN 1 THEN 'bond' ELSE 'corporate' END";

function buildInsertSql(day: number, fields: Readonly<Record<string, string>>): string {
  const record = Object.entries(fields).map(([name, value]) => `'"${name}":' || ${value}`);
  return `INSERT INTO quotes_now (date, symbol, symbol_key, isin_key, type, record, since)
    SELECT '${days[day]}', ${SYMBOL_SQL}, ${SYMBOL_SQL}, ${ISIN_SQL}, ${TYPE_SQL},
      '{' || ${record.join(" || ',' || ")} || '}', 1 FROM securities ORDER BY n`;
}

/** The fields of a record as SQL: arbitrary figures of realistic length. */
const buildFields = (day: number) => ({
  date: `'"${days[day]}"'`,
  symbol: quoteJsonSql(SYMBOL_SQL),
  isin: quoteJsonSql(ISIN_SQL),
  type: quoteJsonSql(TYPE_SQL),
  maturityDate: `'"2031-01-22"'`,
  maturityYears: `'4.' || ${figureSql(day, 5)}`,
  bidPrice: `'92.' || ${figureSql(day, 3)}`,
  askPrice: `'92.' || ${figureSql(day, 3)}`,
  lastPrice: `'92.' || ${figureSql(day, 3)}`,
  bidVolume: '(5000000 + n * 5000)',
  askVolume: '(7500000 + n * 5000)',
  volume: `${150_000_000 + day * 5_000}`,
  ytm: `'11.' || ${figureSql(day, 5)}`,
  duration: `'3.' || ${figureSql(day, 5)}`,
});

const figureSql = (day: number, digits: number) =>
  `(${10 ** digits} + (${day * 7_919} + n * 10473) % ${10 ** digits})`;

const quoteJsonSql = (sql: string) => `'"' || ${sql} || '"'`;
