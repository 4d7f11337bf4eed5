import { Database } from 'bun:sqlite';
import { chmodSync, rmSync } from 'node:fs';
import { isSqliteError } from './connection.ts';

/** Texts that can be computed again at any time. */
export interface DisposableTexts {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  close(): void;
}

/** A few milliseconds: what is waited for can be computed in as many. */
const BUSY_TIMEOUT_MS = 20;
const MAX_TEXTS = 100_000;
const OWNER_ONLY = 0o600;

/**
 * Texts in a file of their own, which several processes share. Losing it, or any part of it, loses
 * nothing: a text that is damaged is not given, and without the file none is.
 */
export class DisposableFile implements DisposableTexts {
  #database: Database | undefined;

  constructor(private readonly path: string) {
    this.#database = this.#open() ?? this.#openAnew();
  }

  get(key: string): string | undefined {
    const sql = 'SELECT text, hash FROM texts WHERE key = ?';
    const row = this.#try((database) => database.query(sql).get(key)) as StoredText | null;
    return row && row.hash === hashText(key, row.text) ? row.text : undefined;
  }

  set(key: string, text: string): void {
    this.#try((database) => {
      const values = [key, text, hashText(key, text)];
      const { lastInsertRowid } = database
        .query('INSERT OR REPLACE INTO texts (key, text, hash) VALUES (?, ?, ?)')
        .run(...values);
      database.query('DELETE FROM texts WHERE rowid <= ?').run(Number(lastInsertRowid) - MAX_TEXTS);
    });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #open(): Database | undefined {
    try {
      const database = new Database(this.path, { create: true });
      chmodSync(this.path, OWNER_ONLY);
      database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      database.run('PRAGMA journal_mode = WAL');
      database.run('PRAGMA synchronous = OFF');
      database.run(
        'CREATE TABLE IF NOT EXISTS texts (key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, hash TEXT NOT NULL)',
      );
      return database;
    } catch (cause) {
      if (isSqliteError(cause) || isFileError(cause)) return undefined;
      throw cause;
    }
  }

  /** Where it is damaged, or no such file. */
  #openAnew(): Database | undefined {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.path}${suffix}`, { force: true });
    return this.#open();
  }

  /** Without a result where the file is locked, damaged or gone. */
  #try<T>(run: (database: Database) => T): T | null {
    if (!this.#database) return null;
    try {
      return run(this.#database);
    } catch (cause) {
      if (isSqliteError(cause)) return null;
      throw cause;
    }
  }
}
