import { Database } from 'bun:sqlite';
import { existsSync, linkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../shared/database-folders.ts';
import { createDraftPath, moveToDisk, removeDraft, syncToDisk } from '../../shared/draft-file.ts';
import { StoreUnusableError } from '../errors.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import { CANDIDATE_TABLES, LEDGER_SIGNERS_TABLE, TOKENS_TABLE } from '../sql/stored-tables.ts';
import type { TableReader, TableRow, TableWriter } from '../table-copy.ts';
import { createCandidatesFile, getCandidatesFile } from './candidate-store.ts';
import {
  closeReadOnly,
  openReadOnly,
  USE_WRITE_AHEAD_LOG,
  WRITE_CACHE_KIB,
  withStoreErrors,
} from './connection.ts';
import { ensureFolder } from './create-database-file.ts';
import { prepareDatabase } from './prepare-database.ts';
import { streamRows } from './session.ts';
import { readSigners, writeSigners } from './signers-file.ts';
import { createTokensFile, getTokensFile } from './token-store.ts';

/** Reads the tables of a file, all but tokens in one transaction, while others write it. */
export function openSqliteTables(path: string): TableReader {
  const database = openReadOnly(path);
  database.run('BEGIN');
  return {
    rows: (table) => {
      if (table === LEDGER_SIGNERS_TABLE) return readSignerRows(path);
      if (CANDIDATE_TABLES.includes(table)) return readPrivate(getCandidatesFile(path), table);
      if (table === TOKENS_TABLE) return readPrivate(getTokensFile(path), table);
      return readRows(database, table);
    },
    close() {
      database.run('ROLLBACK');
      closeReadOnly(database);
    },
  };
}

/** Reads all rows before it returns any: a reader of the file of tokens keeps them from being revoked. */
async function* readPrivate(file: string, table: string): AsyncGenerator<SqlRows> {
  if (!existsSync(file)) return;
  const read = async () => {
    using database = openReadOnly(file);
    return await Array.fromAsync(readRows(database, table));
  };
  yield* await read();
}

async function* readSignerRows(path: string): AsyncGenerator<SqlRows> {
  const rows = readSigners(path).map((line) => ({ line }));
  if (rows.length > 0) yield rows;
}

/** Fills a new file, which gets its name when it is complete and on the disk. */
export function createSqliteTables(path: string, catalogue: readonly Dataset[]): TableWriter {
  assertFree(path);
  ensureFolder(dirname(path));
  const draft = createDraftPath(dirname(path));
  prepareDatabase(draft, catalogue, 'migrate');
  createTokensFile(draft);
  createCandidatesFile(draft);
  const database = new Database(draft, { readwrite: true, strict: true });
  // Their tables are then found by their names, as on PostgreSQL.
  database.run('ATTACH ? AS tokens_file', [getTokensFile(draft)]);
  database.run('ATTACH ? AS candidates_file', [getCandidatesFile(draft)]);
  // No other process reads it, and what is left of one that is killed is of no use.
  for (const setting of ['journal_mode = OFF', 'synchronous = OFF'])
    database.run(`PRAGMA ${setting}`);
  database.run(`PRAGMA cache_size = -${WRITE_CACHE_KIB}`);
  database.run('DELETE FROM secrets');
  return {
    insert: async (table, rows) => {
      if (table !== LEDGER_SIGNERS_TABLE) return insertRows(database, table, rows);
      writeSigners(draft, [...readSigners(draft), ...rows.map(({ line }) => String(line))]);
    },
    rows: (table) =>
      table === LEDGER_SIGNERS_TABLE ? readSignerRows(draft) : readRows(database, table),
    async commit() {
      const hasTokens = assertTokensKnown(database, getTokensFile(path));
      // The file of the tokens has none.
      const hasCandidates = CANDIDATE_TABLES.some((table) =>
        database.query(`SELECT 1 FROM ${table}`).get(),
      );
      database.run('DETACH tokens_file');
      database.run('DETACH candidates_file');
      database.run(USE_WRITE_AHEAD_LOG);
      database.close();
      syncToDisk(draft);
      ensurePrivateFolder(getPrivateFolder(path));
      // Tokens first: a server that finds the database finds them.
      if (hasTokens) moveToDisk(getTokensFile(draft), getTokensFile(path));
      if (hasCandidates) moveToDisk(getCandidatesFile(draft), getCandidatesFile(path));
      const signers = readSigners(draft);
      if (signers.length > 0) writeSigners(path, [...readSigners(path), ...signers]);
      // Fails if another process has made the file meanwhile.
      linkSync(draft, path);
      syncToDisk(dirname(path));
    },
    close() {
      database.close();
      removeDraft(draft);
    },
  };
}

/** A write-ahead log of another file would be applied to the new one. */
function assertFree(path: string): void {
  const suffix = ['', '-wal', '-shm', '-journal'].find((end) => existsSync(path + end));
  if (suffix === undefined) return;
  throw new StoreUnusableError(
    `${resolve(path)}${suffix} exists; name a file that does not, or move it away`,
  );
}

/**
 * Asserts that tokens without a database, which a killed move leaves, are among those that are
 * moved; returns whether there are any of these.
 */
function assertTokensKnown(database: Database, file: string): boolean {
  if (existsSync(file)) {
    database.run('ATTACH ? AS existing', [file]);
    const sql =
      'SELECT 1 FROM existing.tokens WHERE digest NOT IN (SELECT digest FROM tokens_file.tokens)';
    if (database.query(sql).get())
      throw new StoreUnusableError(`${resolve(file)} has other tokens; move it away`);
    database.run('DETACH existing');
  }
  return database.query('SELECT 1 FROM tokens_file.tokens').get() !== null;
}

function insertRows(database: Database, table: string, rows: readonly TableRow[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const placeholders = columns.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`;
  withStoreErrors(() => {
    const insert = database.query(sql);
    database.transaction(() => {
      for (const row of rows) insert.run(...Object.values(row));
    })();
  });
}

function readRows(database: Database, table: string) {
  return streamRows(database, { sql: `SELECT * FROM ${table}` });
}
