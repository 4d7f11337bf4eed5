import { finished } from './server-processes.ts';

/** When the indexes are made: before the rows, as ours are for all but the first load, or after. */
export type Indexes = 'before' | 'after';

/** Whether there is a sqlite3 to measure against. */
export const hasSqlite = Bun.which('sqlite3') !== null;

/** How long `sqlite3` takes to import a file into a new database, with its own settings. */
export async function importTime(path: string, file: string, indexes: Indexes): Promise<number> {
  const rows = `.import --csv --skip 1 '${file}' quotes`;
  const made = indexes === 'before' ? [...INDEXES, rows] : [rows, ...INDEXES];
  const { seconds } = await finished(
    ['sqlite3', '-bail', path],
    {},
    [TABLE, ...made, ''].join('\n'),
  );
  return seconds;
}

/** A column for each field, keyed as ours is. */
const TABLE = `CREATE TABLE quotes (
  date TEXT NOT NULL, symbol TEXT NOT NULL, isin TEXT NOT NULL, type TEXT NOT NULL,
  maturityDate TEXT NOT NULL, maturityYears REAL NOT NULL,
  bidPrice REAL NOT NULL, askPrice REAL NOT NULL, lastPrice REAL NOT NULL,
  bidVolume REAL NOT NULL, askVolume REAL NOT NULL, volume REAL NOT NULL,
  ytm REAL NOT NULL, duration REAL NOT NULL,
  PRIMARY KEY (date DESC, symbol)) WITHOUT ROWID;`;

/** The same as ours but for the one by revision, since an import has none. */
const INDEXES = [
  'CREATE INDEX by_symbol ON quotes (symbol, date DESC);',
  'CREATE INDEX by_isin ON quotes (isin, date DESC, symbol);',
  'CREATE INDEX by_type ON quotes (type, date DESC, symbol);',
];
