import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync, statSync } from 'node:fs';
import { getPrivateFile } from '../../shared/database-folders.ts';
import { isDiskFullError } from '../../shared/file-error.ts';
import { createEmptyFile } from './create-database-file.ts';

/** Enough for the index of a write-ahead log, or for a journal of the tokens. */
const RESERVE_BYTES = 256 * 1024;
const CHUNK_BYTES = 16 * 1024;

/**
 * Runs an operation, and if the disk is full once more, with the space of a file that is kept for
 * this beside the tokens: a token must be revoked there, too. A copy may have come without it:
 * then the operation is to need no space.
 */
export function withDiskReserve<T>(path: string, operation: (hasSpace: boolean) => T): T {
  try {
    return operation(true);
  } catch (cause) {
    if (!isDiskFullError(cause as Error, path)) throw cause;
    const hasReserve = !lacksDiskReserve(path);
    rmSync(getReserveFile(path), { force: true });
    try {
      return operation(hasReserve);
    } finally {
      fillDiskReserve(path);
    }
  }
}

/** Whether a token may not be revoked on a full disk. */
export function lacksDiskReserve(path: string): boolean {
  const status = statSync(getReserveFile(path), { throwIfNoEntry: false });
  return (status?.size ?? 0) < RESERVE_BYTES;
}

/** Makes the reserve as large as it should be, or as the disk allows. */
export function fillDiskReserve(path: string): void {
  const reserve = getReserveFile(path);
  const bytes = statSync(reserve, { throwIfNoEntry: false })?.size;
  try {
    if (bytes === undefined) createEmptyFile(reserve, statSync(path));
    // File systems that compress would keep no space for zeros.
    for (let size = bytes ?? 0; size < RESERVE_BYTES; size += CHUNK_BYTES)
      appendFileSync(reserve, randomBytes(CHUNK_BYTES));
  } catch (cause) {
    // Full, read-only, or of another user: what there is must do.
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
  }
}

function getReserveFile(path: string): string {
  return getPrivateFile(path, 'tokens-reserve');
}
