import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { lastWeekdays } from '../million-quotes.ts';

/** Every market has these days; it grows by its securities. */
export const days = lastWeekdays('2026-06-30', 2_500);

/** The symbol of a security by its number; as many digits each, so that their order is the same. */
export const symbolOf = (security: number) => `ZZ${FIRST_SYMBOL + security}TB`;

const FIRST_SYMBOL = 10_000;

/**
 * Fills an empty SQLite file with a market, by SQL alone: publishing ten million quotes takes
 * longer than all that is measured on them. The indexes come last, when the store is next opened.
 */
export async function fillSqlite(path: string, securities: number): Promise<void> {
  await openStore(`sqlite:${path}`, catalogue);
  const database = new Database(path, { readwrite: true });
  database.run('PRAGMA synchronous = OFF');
  const named = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' AND tbl_name = ";
  for (const [name] of database.query(`${named} 'quotes_now'`).values()) {
    database.run(`DROP INDEX ${name}`);
  }
  database.run('BEGIN');
  // In the order of the key, which is the order of the table: the newest day first.
  for (const sql of statements(securities, [...days.keys()].toReversed())) database.run(sql);
  database.run('COMMIT');
  database.close();
  await openStore(`sqlite:${path}`, catalogue);
}

/** Fills an empty PostgreSQL database with the same market, in the order of its days. */
export async function fillPostgres(url: string, securities: number): Promise<void> {
  await openStore(url, catalogue);
  const pool = new SQL(url, { max: 1 });
  await pool.begin(async (connection) => {
    const named = "SELECT indexname AS name FROM pg_indexes WHERE tablename = 'quotes_now'";
    for (const { name } of await connection.unsafe(named)) {
      await connection.unsafe(`DROP INDEX ${name}`);
    }
    for (const sql of statements(securities, days.keys())) await connection.unsafe(sql);
  });
  await openStore(url, catalogue);
  await pool.unsafe('VACUUM ANALYZE quotes_now');
  await pool.close();
}

/** What both engines take to make the quotes of all days, and the revision that they came with. */
function* statements(securities: number, inOrder: Iterable<number>): Generator<string> {
  yield 'CREATE TEMP TABLE securities (n INTEGER)';
  const numbers = Array.from({ length: securities }, (_, n) => `(${n})`);
  yield `INSERT INTO securities VALUES ${numbers.join()}`;
  for (const day of inOrder) yield quotesOf(day);
  const counts = `${securities * days.length}, 0, 0, 0`;
  yield `INSERT INTO revisions (revision, dataset, published_at, source, author, sample,
    added, corrected, retired, unchanged, newest, checksum)
    VALUES (1, 'quotes', '2026-07-01T00:00:00.000Z', 'bench', 'bench', 1, ${counts},
    '${days.at(-1)}', 'none')`;
}

/** Figures without meaning, of the length that real ones have. */
function quotesOf(day: number): string {
  const date = `'${days[day]}'`;
  const symbol = `'ZZ' || (${FIRST_SYMBOL} + n) || 'TB'`;
  const isin = "'ZZ' || (1000000000 + n)";
  const type = "CASE n % 3 WHEN 0 THEN 'tbill' WHEN 1 THEN 'bond' ELSE 'corporate' END";
  const figure = (digits: number) =>
    `(${10 ** digits} + (${day * 7_919} + n * 10473) % ${10 ** digits})`;
  const fields = {
    date: text(date),
    symbol: text(symbol),
    isin: text(isin),
    type: text(type),
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

const text = (sql: string) => `'"' || ${sql} || '"'`;
