import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { StoreUnusableError } from '../errors.ts';

/** "TENR", the application id in the header of a SQLite file. */
export const APPLICATION_ID = 0x54454e52;

const HEADER_BYTES = 100;
const SQLITE_MAGIC = 'SQLite format 3\0';

/**
 * Rejects a file that is not a complete database of Tenor, by its header: SQLite itself would treat
 * an empty file as a new database, and write to any other application's.
 */
export function assertTenorFile(path: string): void {
  const status = statSync(path);
  if (!status.isFile()) throw new StoreUnusableError('it is not a file');
  if (status.size === 0)
    throw new StoreUnusableError(`it is empty, not a Tenor database; ${MOVE_FILE_HINT}`);
  const header = readFileHeader(path);
  if (!header.toString('latin1').startsWith(SQLITE_MAGIC)) {
    throw new StoreUnusableError(`it is not a SQLite database; ${MOVE_FILE_HINT}`);
  }
  if (header.length < HEADER_BYTES)
    throw new StoreUnusableError(`it is cut short; ${RESTORE_FILE_HINT}`);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw new StoreUnusableError(`it is a SQLite database, but not Tenor's; ${MOVE_FILE_HINT}`);
  }
  const pageBytes = getPageSize(header);
  const promisedBytes = pageBytes * header.readUInt32BE(28);
  // After a killed checkpoint, missing pages are still in the write-ahead log.
  if (status.size + pageBytes * countWalFrames(`${path}-wal`, pageBytes) < promisedBytes) {
    const sizes = `${status.size} bytes where its header promises ${promisedBytes}`;
    throw new StoreUnusableError(`it is cut short: ${sizes}; ${RESTORE_FILE_HINT}`);
  }
}

const MOVE_FILE_HINT = 'move it away or set DATABASE_URL to another path';
const RESTORE_FILE_HINT = 'restore it from a copy';

function readFileHeader(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
}

function getPageSize(header: Buffer): number {
  // The format writes 65,536, which does not fit into two bytes, as 1.
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** The number of pages in a write-ahead log: a header, then frames of a header and a page. */
function countWalFrames(log: string, pageBytes: number): number {
  const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(0, Math.floor((bytes - 32) / (24 + pageBytes)));
}
