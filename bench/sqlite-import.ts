import { runCommand } from './server-processes.ts';

/** Whether indexes are created before the rows, as in Tenor after the first load, or after. */
export type IndexTiming = 'before' | 'after';

/** Whether sqlite3 is installed. */
export const hasSqlite = Bun.which('sqlite3') !== null;

/** The seconds that `sqlite3` takes to import a file into a new database. */
export async function measureImport(
  path: string,
  file: string,
  indexes: IndexTiming,
): Promise<number> {
  const rows = `.import --csv --skip 1 '${file}' quotes`;
  const statements =
    indexes === 'before' ? [...CREATE_INDEX_SQL, rows] : [rows, ...CREATE_INDEX_SQL];
  const { seconds } = await runCommand(
    ['sqlite3', '-bail', path],
    {},
    [CREATE_TABLE_SQL, ...statements, ''].join('\n'),
  );
  return seconds;
}

/** A column for each field, with the primary key of Tenor's table. */
const CREATE_TABLE_SQL = `CREATE TABLE quotes (
  date TEXT NOT NULL, symbol TEXT NOT NULL, isin TEXT NOT NULL, type TEXT NOT NULL,
  maturityDate TEXT NOT NULL, maturityYears REAL NOT NULL,
  bidPrice REAL NOT NULL, askPrice REAL NOT NULL, lastPrice REAL NOT NULL,
  bidVolume REAL NOT NULL, askVolume REAL NOT NULL, volume REAL NOT NULL,
  ytm REAL NOT NULL, duration REAL NOT NULL,
  PRIMARY KEY (date DESC, symbol)) WITHOUT ROWID;`;

/** Tenor's indexes, of which the one by symbol holds all fields, without the one by revision. */
const CREATE_INDEX_SQL = [
  `CREATE INDEX by_symbol ON quotes (symbol, date DESC, isin, type, maturityDate, maturityYears,
    bidPrice, askPrice, lastPrice, bidVolume, askVolume, volume, ytm, duration);`,
  'CREATE INDEX by_isin ON quotes (isin, date DESC, symbol);',
  'CREATE INDEX by_type ON quotes (type, date DESC, symbol);',
];
