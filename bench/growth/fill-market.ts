import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { listWeekdays } from '../million-quotes.ts';

/** The days of every market; markets differ in their securities. */
export const days = listWeekdays('2026-06-30', 2_500);

/** A symbol with a fixed number of digits, so that symbols sort by number. */
export const formatSymbol = (security: number) => `ZZ${FIRST_SYMBOL + security}TB`;

const FIRST_SYMBOL = 10_000;

/**
 * Fills an empty SQLite file with a market in plain SQL, because publishing ten million quotes takes
 * too long. Indexes are created when the store is opened again.
 */
export async function fillSqlite(path: string, securities: number): Promise<void> {
  await openStore(`sqlite:${path}`, catalogue);
  const database = new Database(path, { readwrite: true });
  database.run('PRAGMA synchronous = OFF');
  const indexQuery =
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' AND tbl_name = ";
  for (const [name] of database.query(`${indexQuery} 'quotes_now'`).values()) {
    database.run(`DROP INDEX ${name}`);
  }
  database.run('BEGIN');
  // In the order of the primary key: newest day first.
  for (const sql of generateStatements(securities, [...days.keys()].toReversed()))
    database.run(sql);
  database.run('COMMIT');
  database.close();
  await openStore(`sqlite:${path}`, catalogue);
}

/** Fills an empty PostgreSQL database with the same market, in the order of its days. */
export async function fillPostgres(url: string, securities: number): Promise<void> {
  await openStore(url, catalogue);
  const pool = new SQL(url, { max: 1 });
  await pool.begin(async (connection) => {
    const indexQuery = "SELECT indexname AS name FROM pg_indexes WHERE tablename = 'quotes_now'";
    for (const { name } of await connection.unsafe(indexQuery)) {
      await connection.unsafe(`DROP INDEX ${name}`);
    }
    for (const sql of generateStatements(securities, days.keys())) await connection.unsafe(sql);
  });
  await openStore(url, catalogue);
  await pool.unsafe('VACUUM ANALYZE quotes_now');
  await pool.close();
}

/** The statements for the quotes of all days and their revision, for both engines. */
function* generateStatements(securities: number, dayIndexes: Iterable<number>): Generator<string> {
  yield 'CREATE TEMP TABLE securities (n INTEGER)';
  const numbers = Array.from({ length: securities }, (_, n) => `(${n})`);
  yield `INSERT INTO securities VALUES ${numbers.join()}`;
  for (const day of dayIndexes) yield buildInsertSql(day);
  const counts = `${securities * days.length}, 0, 0, 0`;
  yield `INSERT INTO revisions (revision, dataset, published_at, source, author, sample,
    added, corrected, retired, unchanged, newest, checksum)
    VALUES (1, 'quotes', '2026-07-01T00:00:00.000Z', 'bench', 'bench', 1, ${counts},
    '${days.at(-1)}', 'none')`;
}

/** Arbitrary figures of realistic length. */
function buildInsertSql(day: number): string {
  const date = `'${days[day]}'`;
  const symbol = `'ZZ' || (${FIRST_SYMBOL} + n) || 'TB'`;
  const isin = "'ZZ' || (1000000000 + n)";
  const type = "CASE n % 3 WHEN 0 THEN 'tbill' WHEN 1 THEN 'bond' ELSE 'corporate' END";
  const figure = (digits: number) =>
    `(${10 ** digits} + (${day * 7_919} + n * 10473) % ${10 ** digits})`;
  const fields = {
    date: quoteJsonSql(date),
    symbol: quoteJsonSql(symbol),
    isin: quoteJsonSql(isin),
    type: quoteJsonSql(type),
    maturityDate: `'"2031-01-22"'`,
    maturityYears: `'4.' || ${figure(5)}`,
    bidPrice: `'92.' || ${figure(3)}`,
    askPrice: `'92.' || ${figure(3)}`,
    lastPrice: `'92.' || ${figure(3)}`,
    bidVolume: '(5000000 + n * 5000)',
    askVolume: '(7500000 + n * 5000)',
    volume: `${150_000_000 + day * 5_000}`,
    ytm: `'11.' || ${figure(5)}`,
    duration: `'3.' || ${figure(5)}`,
  };
  const record = Object.entries(fields).map(([name, value]) => `'"${name}":' || ${value}`);
  return `INSERT INTO quotes_now (date, symbol, symbol_key, isin_key, type, record, since)
    SELECT ${date}, ${symbol}, ${symbol}, ${isin}, ${type},
      '{' || ${record.join(" || ',' || ")} || '}', 1 FROM securities ORDER BY n`;
}

const quoteJsonSql = (sql: string) => `'"' || ${sql} || '"'`;
