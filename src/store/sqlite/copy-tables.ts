import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { createDraftPath, moveToDisk, removeDraft, syncToDisk } from '../../shared/draft-file.ts';
import { StoreUnusableError } from '../errors.ts';
import { toBatches } from '../rows.ts';
import { TOKENS_TABLE } from '../sql/stored-tables.ts';
import type { TableReader, TableRow, TableWriter } from '../table-copy.ts';
import {
  openReadOnly,
  queryValue,
  toSqliteStoreError,
  USE_WRITE_AHEAD_LOG,
  WRITE_CACHE_KIB,
  withStoreErrors,
} from './connection.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createTokensFile, getTokensFile } from './token-store.ts';

/** Reads the tables of a file in one transaction, while others read and write it. */
export function openSqliteTables(path: string, catalogue: readonly Dataset[]): TableReader {
  prepareDatabase(path, catalogue, 'none');
  const database = openReadOnly(path);
  database.run('BEGIN');
  return {
    rows: (table) => readTable(path, database, table),
    async newestRevision() {
      using connection = openReadOnly(path);
      return Number(queryValue(connection, 'SELECT max(revision) FROM revisions') ?? 0);
    },
    async close() {
      database.run('ROLLBACK');
      database.close();
    },
  };
}

/** Fills a new file, which gets its name when it is complete and on the disk. */
export function createSqliteTables(path: string, catalogue: readonly Dataset[]): TableWriter {
  assertFree(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = createDraftPath(dirname(path));
  prepareDatabase(draft, catalogue, 'migrate');
  const database = openDraft(draft);
  database.run('DELETE FROM secrets');
  return {
    async insert(table, rows) {
      if (table !== TOKENS_TABLE) return insertRows(database, table, rows);
      createTokensFile(draft);
      using tokens = openDraft(getTokensFile(draft));
      insertRows(tokens, table, rows);
    },
    rows: (table) => readTable(draft, database, table),
    async keep() {
      database.run(USE_WRITE_AHEAD_LOG);
      database.close();
      syncToDisk(draft);
      // Tokens first: a server that finds the database finds them.
      keepTokens(getTokensFile(draft), getTokensFile(path));
      // Fails where another process has made the file meanwhile.
      linkSync(draft, path);
      syncToDisk(dirname(path));
    },
    async close() {
      database.close();
      removeDraft(draft);
    },
  };
}

/** A write-ahead log of another file would be applied to the new one. */
function assertFree(path: string): void {
  const existing = ['', '-wal', '-shm', '-journal'].find((suffix) => existsSync(path + suffix));
  if (existing === undefined) return;
  throw new StoreUnusableError(
    `${resolve(path)}${existing} exists; name a file that does not, or move it away`,
  );
}

/** Tokens without a database are those of a move that was killed here, or else not to be lost. */
function keepTokens(draft: string, file: string): void {
  const list = (path: string) => readTokens(path).map(({ digest }) => digest);
  const digests = new Set(list(draft));
  if (list(file).some((digest) => !digests.has(digest)))
    throw new StoreUnusableError(`${resolve(file)} has other tokens; move it away`);
  if (existsSync(draft)) moveToDisk(draft, file);
}

/** No other process reads it, and one that is killed leaves nothing: nothing has to be undone. */
function openDraft(path: string): Database {
  const database = new Database(path, { readwrite: true, strict: true });
  for (const setting of [
    'journal_mode = OFF',
    'synchronous = OFF',
    `cache_size = -${WRITE_CACHE_KIB}`,
  ])
    database.run(`PRAGMA ${setting}`);
  return database;
}

function insertRows(database: Database, table: string, rows: readonly TableRow[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  withStoreErrors(() => {
    const insert = database.query(sql);
    database.transaction(() => {
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
    })();
  });
}

/** The rows of a table of a database, or of the file with its tokens. */
async function* readTable(
  path: string,
  database: Database,
  table: string,
): AsyncGenerator<readonly TableRow[]> {
  try {
    if (table === TOKENS_TABLE) return yield readTokens(getTokensFile(path));
    using statement = database.prepare<TableRow, []>(`SELECT * FROM ${table}`);
    yield* toBatches(statement.iterate());
  } catch (cause) {
    throw toSqliteStoreError(cause);
  }
}

function readTokens(file: string): TableRow[] {
  if (!existsSync(file)) return [];
  using database = openReadOnly(file);
  // Missing in a file from before there were links.
  return database
    .query<TableRow, []>('SELECT * FROM tokens')
    .all()
    .map((row) => ({ target: null, ...row }));
}
