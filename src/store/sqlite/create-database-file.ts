import { Database } from 'bun:sqlite';
import { chmodSync, chownSync, closeSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

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
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
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
