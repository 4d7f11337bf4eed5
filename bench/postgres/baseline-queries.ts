import { SQL } from 'bun';

/** As many connections as our server has, unless told otherwise. */
const CONNECTIONS = 8;

/** Asks a database by hand for what our server asks it for. */
export interface Hand {
  /** The records of a security up to a day, joined. */
  history(symbol: string, to: string): Promise<string>;
  /** The records of a day, joined. */
  snapshot(day: string): Promise<string>;
  close(): Promise<void>;
}

/** Through a pool of its own, with no settings but the server's. */
export function handOn(url: string): Hand {
  const sql = new SQL(url, { max: CONNECTIONS });
  const ask = async (statement: string, values: string[]) => {
    const [row] = await sql.unsafe(statement, values);
    return row.records as string;
  };
  return {
    history: (symbol, to) => ask(HISTORY, [symbol, '0001-01-01', to]),
    snapshot: (day) => ask(SNAPSHOT, [day, day]),
    close: () => sql.close(),
  };
}

const joined = (found: string) => `SELECT (SELECT max(revision) FROM revisions) AS revision,
  count(*) AS count, string_agg(record, ',') AS records FROM (${found}) AS found`;

const HISTORY = joined(`SELECT record FROM quotes_now
  WHERE symbol_key = $1 AND date BETWEEN $2 AND $3 ORDER BY date DESC, symbol LIMIT 100`);

const SNAPSHOT = joined(`SELECT record FROM quotes_now
  WHERE date BETWEEN $1 AND $2 ORDER BY date DESC, symbol LIMIT 100`);
