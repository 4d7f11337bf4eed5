import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLookupTable } from './lookup-table.ts';

const REASONS: Readonly<Record<string, string>> = createLookupTable({
  ENOSPC: 'the file system of FILE is full',
  EDQUOT: 'the file system of FILE is full for this user',
  EROFS: 'the file system of FILE is read-only',
  EACCES: 'this user has no permission to write FILE',
});

/** The reason why a file cannot be written, as a sentence; by default the error's own message. */
export function explainFileError(cause: Error, file: string): string {
  return REASONS[findErrorCode(cause, file)]?.replace('FILE', () => file) ?? cause.message;
}

/** Why a file cannot be read, as a predicate that follows its name. */
export function explainReadError(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  return `cannot be read: ${code ?? message}`;
}

/** Whether an error means that the disk has no space for a file. */
export function isDiskFullError(cause: Error, file: string): boolean {
  return findErrorCode(cause, file) === 'ENOSPC';
}

/** Less free space than this counts as none: SQLite writes whole pages, and an index for them. */
const MIN_FREE_BYTES = 64 * 1024;

/** The system's code of an error. SQLite does not report it, so it is determined by a trial write. */
function findErrorCode(cause: Error, file: string): string {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') return 'ENOSPC';
  try {
    if (/^SQLITE_(CANTOPEN|READONLY)/.test(code))
      for (const path of [dirname(file), file]) accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(dirname(file));
    const isOfWriting = /^SQLITE_IOERR_(WRITE|TRUNCATE|FSYNC|SHM)/.test(code);
    return isOfWriting && bavail * bsize < MIN_FREE_BYTES ? 'ENOSPC' : code;
  } catch (refusal) {
    return code.startsWith('SQLITE_') ? ((refusal as NodeJS.ErrnoException).code ?? code) : code;
  }
}
