import { Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { getPrivateFile } from '../../shared/database-folders.ts';
import { toBusyError } from './connection.ts';
import { createDatabaseFile } from './create-database-file.ts';

/*
 * A publisher locks an empty file beside the database from when it takes the instant of a revision
 * until the commit, so that as-of reads know whether a revision of an earlier instant may still
 * appear. The system releases the lock of a process that ends.
 */

const BUSY_TIMEOUT_MS = 5_000;

/** Acquires the commit lock; closing the connection releases it. */
export function lockCommitFile(path: string): Database {
  const file = getCommitLockFile(path);
  if (!existsSync(file)) createDatabaseFile(file, () => {}, statSync(path));
  const lock = new Database(file, { readwrite: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    lock.run('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw cause;
  }
}

export function isCommitLocked(path: string): boolean {
  const file = getCommitLockFile(path);
  if (!existsSync(file)) return false;
  try {
    using lock = new Database(file, { readonly: true });
    lock.query('SELECT 1 FROM sqlite_schema').all();
    return false;
  } catch (cause) {
    if (toBusyError(cause)) return true;
    throw cause;
  }
}

export function getCommitLockFile(path: string): string {
  return getPrivateFile(path, 'commit-lock');
}
