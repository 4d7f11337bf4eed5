import { SQL } from 'bun';

/** The default number of connections of Tenor. */
const CONNECTIONS = 8;

/** Sends the queries of Tenor directly to a database. */
export interface BaselineQueries {
  /** The records of a security up to a day, joined. */
  history(symbol: string, to: string): Promise<string>;
  /** The records of a day, joined. */
  snapshot(day: string): Promise<string>;
  close(): Promise<void>;
}

export function createBaselineQueries(url: string): BaselineQueries {
  const sql = new SQL(url, { max: CONNECTIONS });
  const query = async (statement: string, values: string[]) => {
    const [row] = await sql.unsafe(statement, values);
    return row.records as string;
  };
  return {
    history: (symbol, to) => query(HISTORY_SQL, [symbol, '0001-01-01', to]),
    snapshot: (day) => query(SNAPSHOT_SQL, [day, day]),
    close: () => sql.close(),
  };
}

const buildJoinedQuery = (
  subquery: string,
) => `SELECT (SELECT max(revision) FROM revisions) AS revision,
  count(*) AS count, string_agg(record, ',') AS records FROM (${subquery}) AS found`;

const HISTORY_SQL = buildJoinedQuery(`SELECT record FROM quotes_now
  WHERE symbol_key = $1 AND date BETWEEN $2 AND $3 ORDER BY date DESC, symbol LIMIT 100`);

const SNAPSHOT_SQL = buildJoinedQuery(`SELECT record FROM quotes_now
  WHERE date BETWEEN $1 AND $2 ORDER BY date DESC, symbol LIMIT 100`);
