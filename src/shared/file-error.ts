import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The reason why a file cannot be written, as a sentence; the error's own where none is known. */
export function explainFileError(cause: Error, file: string): string {
  const { code, path } = findFileError(cause, file);
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the file system of ${file} is full`;
  if (code === 'EROFS') return `the file system of ${file} is read-only`;
  if (code === 'EACCES') return `this user has no permission to write ${path}`;
  return cause.message;
}

/** Whether an error means that there is no space for a file. */
export function isDiskFullError(cause: Error, file: string): boolean {
  return findFileError(cause, file).code === 'ENOSPC';
}

/** Less than this much is no space: SQLite writes pages, and an index for them. */
const MIN_FREE_BYTES = 64 * 1024;

interface FileError {
  readonly code: string;
  readonly path: string;
}

/** The system's code of an error, and the file or folder that it is about. */
function findFileError(cause: Error, file: string): FileError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL') return { code: 'ENOSPC', path: file };
  // SQLite does not say why; where writing is allowed, the error is another one.
  if (/^SQLITE_(CANTOPEN|READONLY)|^EACCES$/.test(code))
    return findForbidden(file) ?? { code, path: file };
  const isOfWriting = /^SQLITE_IOERR_(WRITE|TRUNCATE|FSYNC|SHM)/.test(code);
  return { code: isOfWriting && !hasSpace(dirname(file)) ? 'ENOSPC' : code, path: file };
}

function findForbidden(file: string): FileError | undefined {
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return { code, path };
    }
  }
  return undefined;
}

function hasSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MIN_FREE_BYTES;
}
