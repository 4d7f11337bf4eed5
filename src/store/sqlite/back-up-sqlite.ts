import { Database } from 'bun:sqlite';
import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ensurePrivateFolder, getPrivateFolder } from '../../shared/database-folders.ts';
import { createDraftPath, moveToDisk, removeDraft, syncToDisk } from '../../shared/draft-file.ts';
import { InvalidTargetFileError } from '../errors.ts';
import type { BackupResult, BackupTarget } from '../store.ts';
import { getCandidatesFile } from './candidate-store.ts';
import { USE_WRITE_AHEAD_LOG } from './connection.ts';
import { createEmptyFile } from './create-database-file.ts';
import { isFileOf } from './database-files.ts';
import { getSignersFile, readSigners, writeSigners } from './signers-file.ts';
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
  const draft = createDraftPath(folder);
  try {
    // Of before and after, since a key may be replaced meanwhile.
    const signers = new Set(readSigners(path));
    ensurePrivateFolder(getPrivateFolder(draft));
    copyDatabase(path, draft);
    for (const line of readSigners(path)) signers.add(line);
    const kept = PRIVATE_FILES.filter((getFile) => existsSync(getFile(path)));
    for (const getFile of kept) copyDatabase(getFile(path), getFile(draft));
    const verified = await verify(draft);
    useWriteAheadLog(draft);
    stampCopy(draft);
    const { size: bytes } = statSync(draft);
    const finalFile = formatName ? join(folder, formatName(verified)) : file;
    assertReplaceable(path, finalFile, canReplace);
    ensurePrivateFolder(getPrivateFolder(finalFile));
    // They do not depend on the data: a crash between the two leaves a usable pair.
    for (const getFile of PRIVATE_FILES)
      if (kept.includes(getFile)) moveToDisk(getFile(draft), getFile(finalFile));
      else rmSync(getFile(finalFile), { force: true });
    if (signers.size > 0) writeSigners(finalFile, [...signers]);
    else rmSync(getSignersFile(finalFile), { force: true });
    syncToDisk(getPrivateFolder(finalFile));
    moveToDisk(draft, finalFile);
    syncToDisk(folder);
    return { file: finalFile, bytes, verified };
  } finally {
    removeDraft(draft);
  }
}

/** The databases that belong to one and are secret; they may be missing. */
const PRIVATE_FILES = [getTokensFile, getCandidatesFile];

/** Asserts that a file is not the database, nor in use, nor anything that is not to be lost. */
function assertReplaceable(path: string, file: string, canReplace: boolean): void {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (isFileOf(path, file))
    throw new InvalidTargetFileError(`${file} belongs to the database itself`);
  if (existsSync(`${file}-wal`) || existsSync(`${file}-shm`)) {
    throw new InvalidTargetFileError(
      `${file}-wal or ${file}-shm exists: a server or a command uses ${file} as a database`,
    );
  }
  const existing = [file, getPrivateFolder(file)].find((path) => existsSync(path));
  if (existing !== undefined && !canReplace)
    throw new InvalidTargetFileError(
      `${existing} exists; --replace puts the new copy in its place`,
    );
  if (!status) return;
  if (!status.isFile()) throw new InvalidTargetFileError(`${file} is not a regular file`);
  if (!isTenorFile(file))
    throw new InvalidTargetFileError(`${file} is not a Tenor database, and is not replaced`);
}

function assertFolder(folder: string): void {
  // Not created: if a disk is not mounted, the copies would fill another one.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidTargetFileError(`there is no folder ${resolve(folder)}`);
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
  // Who publishes to it is told that more may have been published since.
  database.run(`INSERT OR REPLACE INTO secrets
    SELECT 'copied', CAST(max(revision) AS BLOB) FROM revisions HAVING max(revision) > 0`);
}
