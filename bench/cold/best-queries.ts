import { createReadPool } from '../../src/store/postgres/connection-pool.ts';
import { openReadOnly } from '../../src/store/sqlite/connection.ts';
import type { ColdKind } from './requests.ts';

/** The default number of PostgreSQL connections of Tenor. */
const CONNECTIONS = 8;

/** Returns the records of a request as text, or a promise of it. */
export type BestQuery = (...values: string[]) => string | Promise<string>;

/**
 * The best statement for a kind of request over the tables and indexes of Tenor, prepared once.
 * Histories are queried by name, first and last day, snapshots by day and limit.
 */
export function createBestQuery(databaseUrl: string, kind: ColdKind): BestQuery {
  return databaseUrl.startsWith('sqlite:')
    ? createSqliteQuery(databaseUrl.slice('sqlite:'.length), kind)
    : createPostgresQuery(databaseUrl, kind);
}

/** Opens the file with the settings of Tenor's reader, so that only the code differs. */
function createSqliteQuery(path: string, kind: ColdKind): BestQuery {
  const statement = openReadOnly(path).prepare<never, string[]>(STATEMENTS[kind]);
  return (...values) => statement.values(...values)[0]?.[1] as unknown as string;
}

/** Connects with the settings of Tenor's connections, on which the plans depend. */
function createPostgresQuery(url: string, kind: ColdKind): BestQuery {
  const pool = createReadPool(url, CONNECTIONS, { poolSize: CONNECTIONS, isDistributed: false });
  let parameter = 0;
  const statement = STATEMENTS[kind]
    .replaceAll('?', () => `$${++parameter}`)
    // The index that has the records is one of short symbols.
    .replace('AND date BETWEEN', 'AND octet_length(symbol_key) <= 100 AND date BETWEEN');
  return async (...values) => {
    const [row] = await pool.unsafe(statement, values);
    return row.records as string;
  };
}

const joinRecords = (subquery: string) =>
  `SELECT count(*) AS count, string_agg(record, ',') AS records FROM (${subquery}) AS found`;

const STATEMENTS: Readonly<Record<ColdKind, string>> = {
  history: joinRecords(`SELECT record FROM quotes_now
    WHERE symbol_key = ? AND date BETWEEN ? AND ? ORDER BY date DESC, symbol LIMIT 100`),
  'history-by-isin': joinRecords(`SELECT record FROM quotes_now
    WHERE symbol_key = (SELECT symbol_key FROM quotes_securities WHERE isin_key = ?)
    AND date BETWEEN ? AND ? ORDER BY date DESC, symbol LIMIT 100`),
  snapshot: joinRecords(`SELECT record FROM quotes_now
    WHERE date = ? ORDER BY symbol LIMIT cast(? AS INTEGER)`),
};
