import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidBackupFileError } from '../errors.ts';
import type { BackupResult, BackupTarget } from '../store.ts';
import { USE_WRITE_AHEAD_LOG } from './connection.ts';
import { createEmptyFile } from './create-database-file.ts';
import { isTenorFile, stampCopy } from './tenor-file.ts';
import { getTokensFile } from './token-store.ts';

/**
 * Copies the database in a file while others read and write it. The copy gets its name when it is
 * complete, on the disk, and accepted by `verify`: whatever happens before leaves what was there.
 */
export async function backUpSqlite<T>(
  path: string,
  { file, canReplace, formatName }: BackupTarget<T>,
  verify: (copy: string) => Promise<T>,
): Promise<BackupResult<T>> {
  const folder = dirname(file);
  assertFolder(folder);
  if (!formatName) assertReplaceable(path, file, canReplace);
  removeAbandonedDrafts(folder);
  const draft = join(folder, `${DRAFT_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    copyDatabase(path, draft);
    const hasTokens = existsSync(getTokensFile(path));
    if (hasTokens) copyDatabase(getTokensFile(path), getTokensFile(draft));
    const verified = await verify(draft);
    useWriteAheadLog(draft);
    stampCopy(draft);
    const { size: bytes } = statSync(draft);
    const finalFile = formatName ? join(folder, formatName(verified)) : file;
    assertReplaceable(path, finalFile, canReplace);
    // Tokens do not depend on the data: a crash between the two leaves a usable pair.
    if (hasTokens) moveToDisk(getTokensFile(draft), getTokensFile(finalFile));
    else rmSync(getTokensFile(finalFile), { force: true });
    moveToDisk(draft, finalFile);
    syncToDisk(folder);
    return { file: finalFile, bytes, verified };
  } finally {
    removeDraft(draft);
  }
}

/** Asserts that a file is not the database, nor in use, nor anything that is not to be lost. */
function assertReplaceable(path: string, file: string, canReplace: boolean): void {
  const status = lstatSync(file, { throwIfNoEntry: false });
  const database = statSync(path);
  const isDatabase = (other: { dev: number; ino: number } | undefined) =>
    other?.dev === database.dev && other.ino === database.ino;
  const reserved = SIDECAR_SUFFIXES.map((suffix) => resolve(`${path}${suffix}`));
  if (isDatabase(statSync(file, { throwIfNoEntry: false })) || reserved.includes(resolve(file)))
    throw new InvalidBackupFileError(`${file} belongs to the database itself`);
  if (existsSync(`${file}-wal`) || existsSync(`${file}-shm`)) {
    throw new InvalidBackupFileError(
      `${file}-wal or ${file}-shm exists: a server or a command uses ${file} as a database`,
    );
  }
  if (!status) return;
  if (!status.isFile()) throw new InvalidBackupFileError(`${file} is not a regular file`);
  if (!canReplace)
    throw new InvalidBackupFileError(`${file} exists; --replace puts the new copy in its place`);
  if (!isTenorFile(file))
    throw new InvalidBackupFileError(`${file} is not a Tenor database, and is not replaced`);
}

const SIDECAR_SUFFIXES = ['', '-wal', '-shm', '-tokens', '-commit', '.token'];

function assertFolder(folder: string): void {
  // Not created: where a disk is not mounted, the copies would fill another one.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidBackupFileError(`there is no folder ${resolve(folder)}`);
}

/** All from one transaction, the write-ahead log included; writers are not blocked. */
function copyDatabase(path: string, copy: string): void {
  createEmptyFile(copy, statSync(path));
  // Not by a connection with `query_only`, which rejects the statement.
  using database = new Database(path, { readonly: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run('VACUUM INTO ?', [copy]);
}

const BUSY_TIMEOUT_MS = 10_000;

/** The copy has lost this mode; with it, a server that the copy is restored to can use it at once. */
function useWriteAheadLog(path: string): void {
  using database = new Database(path, { readwrite: true });
  database.run(USE_WRITE_AHEAD_LOG);
}

function moveToDisk(from: string, to: string): void {
  syncToDisk(from);
  renameSync(from, to);
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const DRAFT_PREFIX = '.tenor-backup-';
const DRAFT_PATTERN = /^\.tenor-backup-(?<pid>\d+)-[0-9a-f]{8}/;

/** Removes what processes left that were killed. */
function removeAbandonedDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = DRAFT_PATTERN.exec(name)?.groups?.pid;
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function removeDraft(draft: string): void {
  for (const name of readdirSync(dirname(draft)))
    if (name.startsWith(basename(draft))) rmSync(join(dirname(draft), name), { force: true });
}

/** This process has no other draft: one of its number is of an earlier process. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
