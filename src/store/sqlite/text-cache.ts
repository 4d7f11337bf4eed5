import { Database, SQLiteError } from 'bun:sqlite';
import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensurePrivateFolder } from '../../shared/database-folders.ts';
import { USE_WRITE_AHEAD_LOG } from './connection.ts';

/** A few milliseconds: what is waited for can be computed in as many. */
const BUSY_TIMEOUT_MS = 20;
const MAX_TEXTS = 100_000;
const OWNER_ONLY = 0o600;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

interface StoredText {
  readonly text: string;
  readonly hash: string;
}

/**
 * Texts that can be computed again at any time, in a file of their own, which processes share.
 * Losing it, or a part of it, loses nothing: a text that is damaged is not given, and where there
 * can be no file, none is.
 */
export class TextCache {
  readonly #database: Database | undefined;

  constructor(path: string) {
    this.#database = attempt(
      () => openFile(path),
      () => replaceFile(path),
    );
  }

  get(key: string): string | undefined {
    const database = this.#database;
    const row = attempt(
      () =>
        database?.query('SELECT text, hash FROM texts WHERE key = ?').get(key) as StoredText | null,
    );
    return row && row.hash === hashText(key, row.text) ? row.text : undefined;
  }

  set(key: string, text: string): void {
    const database = this.#database;
    if (!database) return;
    attempt(() => {
      const { lastInsertRowid } = database
        .query('INSERT OR REPLACE INTO texts (key, text, hash) VALUES (?, ?, ?)')
        .run(key, text, hashText(key, text));
      database.query('DELETE FROM texts WHERE rowid <= ?').run(Number(lastInsertRowid) - MAX_TEXTS);
    });
  }

  close(): void {
    this.#database?.close();
  }
}

const hashText = (key: string, text: string) => Bun.hash.xxHash3(`${key}\n${text}`).toString(36);

function openFile(path: string): Database {
  ensurePrivateFolder(dirname(path));
  const database = new Database(path, { create: true });
  chmodSync(path, OWNER_ONLY);
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(USE_WRITE_AHEAD_LOG);
  database.run('PRAGMA synchronous = OFF');
  database.run(
    'CREATE TABLE IF NOT EXISTS texts (key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, hash TEXT NOT NULL)',
  );
  return database;
}

function replaceFile(path: string): Database | undefined {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  return attempt(() => openFile(path));
}

/** The result, unless the file cannot be used; `onDamage` if it is damaged. */
function attempt<T>(run: () => T, onDamage?: () => T | undefined): T | undefined {
  try {
    return run();
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!(cause instanceof SQLiteError) && !code.startsWith('E')) throw cause;
    return DAMAGED.test(code) ? onDamage?.() : undefined;
  }
}
