import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLookupTable } from './lookup-table.ts';

const REASONS: Readonly<Record<string, string>> = createLookupTable({
  ENOSPC: 'the file system of FILE is full',
  EDQUOT: 'the file system of FILE is full for this user',
  EROFS: 'the file system of FILE is read-only',
  EACCES: 'this user has no permission to write FILE',
});

/** The reason why a file cannot be written, as a sentence; the error's own where none is known. */
export function explainFileError(cause: Error, file: string): string {
  return REASONS[findErrorCode(cause, file)]?.replace('FILE', () => file) ?? cause.message;
}

/** Why a file cannot be read, to be put after its name. */
export function explainReadError(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  return `cannot be read: ${code ?? message}`;
}

/** Whether an error means that there is no space for a file. */
export function isDiskFullError(cause: Error, file: string): boolean {
  return findErrorCode(cause, file) === 'ENOSPC';
}

/** Less than this much is no space: SQLite writes pages, and an index for them. */
const MIN_FREE_BYTES = 64 * 1024;

/** The system's code of an error. SQLite does not tell it, so that the system is asked. */
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
