import { Database } from 'bun:sqlite';
import { chmodSync, chownSync, closeSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreUnusableError } from '../errors.ts';
import { fileExists } from './tenor-file.ts';

/** Who may use a file. */
export interface FileAccess {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** Whatever the umask; SQLite makes the files next to a database (-wal, -shm) like it. */
const OWNER_ONLY: FileAccess = { mode: 0o600 };
const OWNER_ONLY_DIRECTORY = 0o700;

/** Links the file to its path when it is complete, so that a killed process leaves no part of it. */
export function createDatabaseFile(
  path: string,
  fill: (database: Database) => void,
  access: FileAccess = OWNER_ONLY,
): void {
  ensureFolder(dirname(path));
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    createEmptyFile(draft, access);
    fillFile(draft, fill);
    linkSync(draft, path);
  } catch (cause) {
    // Another process created it meanwhile.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Only the folder of the default database is made: of any other, the disk may not be mounted. */
export function ensureFolder(folder: string): void {
  if (resolve(folder) === resolve('data'))
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  else if (!fileExists(folder)) throw new StoreUnusableError(`there is no folder ${folder}`);
}

export function createEmptyFile(path: string, access: FileAccess): void {
  closeSync(openSync(path, 'wx', OWNER_ONLY.mode));
  setAccess(path, access);
}

function fillFile(path: string, fill: (database: Database) => void): void {
  using database = new Database(path, { readwrite: true, strict: true });
  fill(database);
}

function setAccess(file: string, { mode, uid, gid }: FileAccess): void {
  chmodSync(file, mode & 0o777);
  if (uid === undefined || gid === undefined) return;
  const userId = process.geteuid?.() ?? uid;
  try {
    // Only root can give a file away; others can share it with a group that they are in.
    chownSync(file, userId === 0 ? uid : userId, gid);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') throw cause;
  }
}
