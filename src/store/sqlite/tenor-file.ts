import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreMissingError, StoreUnusableError } from '../errors.ts';

/** "TENR", the application id in the header of a SQLite file. */
export const APPLICATION_ID = 0x54454e52;

const HEADER_BYTES = 100;
const SQLITE_MAGIC = 'SQLite format 3\0';

export function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** By its bytes: SQLite would treat an empty file as new, and write to any application's. */
export function assertTenorFile(path: string): void {
  if (!fileExists(path)) throw new StoreMissingError(`there is no database at ${resolve(path)}`);
  const status = statSync(path);
  if (!status.isFile()) throw new StoreUnusableError('it is not a file');
  if (status.size === 0)
    throw new StoreUnusableError(`it is empty, not a Tenor database; ${MOVE_FILE_HINT}`);
  const file = openDescriptor(path);
  const header = readAt(file, 0, HEADER_BYTES);
  assertTenorHeader(header);
  const pageBytes = getPageBytes(header);
  const pageCount = header.readUInt32BE(28);
  const walFrames = countWalFrames(`${path}-wal`, pageBytes);
  // Read last: a checkpoint that ends meanwhile has written what the header promises.
  const bytes = fstatSync(file).size;
  // After a killed checkpoint, missing pages are still in the write-ahead log.
  if (bytes + pageBytes * walFrames < pageBytes * pageCount) {
    const sizes = `${bytes} bytes where its header promises ${pageBytes * pageCount}`;
    throw new StoreUnusableError(`it is cut short: ${sizes}; ${RESTORE_FILE_HINT}`);
  }
  if (walFrames === 0) assertPagesWritten({ file, header, pageBytes, pageCount });
}

/** Whether a file has the header of a Tenor database. */
export function isTenorFile(path: string): boolean {
  try {
    assertTenorHeader(readAt(openDescriptor(path), 0, HEADER_BYTES));
    return true;
  } catch (cause) {
    if (cause instanceof StoreUnusableError) return false;
    throw cause;
  }
}

/** Whether there is a SQLite database of any application at a path. */
export function isSqliteFile(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  return isSqliteHeader(readAt(openDescriptor(path), 0, HEADER_BYTES));
}

const CHANGE_COUNTER_OFFSET = 24;
/** SQLite trusts the number of pages in the header if this is equal to the change counter. */
const VERSION_VALID_FOR_OFFSET = 92;
/** More than there are transactions between two looks at a file. */
const MAX_COUNTED_CHANGES = 1_000_000;

/** How often a file was changed; a checkpoint lets it grow a little. 0 for a file without header. */
export function readChangeCounter(path: string): number {
  const bytes = readAt(openDescriptor(path), CHANGE_COUNTER_OFFSET, 4);
  return bytes.length < 4 ? 0 : bytes.readUInt32BE();
}

export function isLaterChange(counter: number, earlier: number): boolean {
  return counter >= earlier && counter - earlier <= MAX_COUNTED_CHANGES;
}

/** Gives a copy a change counter of its own, which differs from that of the file that it is put over. */
export function stampCopy(path: string): void {
  const counter = randomBytes(4);
  const file = openSync(path, 'r+');
  try {
    writeSync(file, counter, 0, 4, CHANGE_COUNTER_OFFSET);
    writeSync(file, counter, 0, 4, VERSION_VALID_FOR_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Descriptors of files by their identity. They stay open, since closing any descriptor of a file
 * releases the locks that SQLite holds on it for all connections of the process: another process
 * would take itself for the only one, and overwrite pages that are being read here.
 */
const descriptors = new Map<string, number>();

export function openDescriptor(path: string): number {
  for (const [identity, descriptor] of descriptors) {
    if (fstatSync(descriptor).nlink > 0) continue;
    // Deleted: no process writes to it any more.
    closeSync(descriptor);
    descriptors.delete(identity);
  }
  const descriptor = descriptors.get(formatIdentity(statSync(path))) ?? openSync(path, 'r');
  descriptors.set(formatIdentity(fstatSync(descriptor)), descriptor);
  return descriptor;
}

function formatIdentity({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

export const RESTORE_FILE_HINT = 'restore it from a complete copy';
const MOVE_FILE_HINT = 'move it away or set DATABASE_URL to another path';

function assertTenorHeader(header: Buffer): void {
  if (!isSqliteHeader(header))
    throw new StoreUnusableError(`it is not a SQLite database; ${MOVE_FILE_HINT}`);
  if (header.length < HEADER_BYTES)
    throw new StoreUnusableError(`it is cut short; ${RESTORE_FILE_HINT}`);
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw new StoreUnusableError(`it is a SQLite database, but not Tenor's; ${MOVE_FILE_HINT}`);
}

function isSqliteHeader(header: Buffer): boolean {
  return header.toString('latin1').startsWith(SQLITE_MAGIC);
}

/** The format writes 65,536, which does not fit into two bytes, as 1. */
function getPageBytes(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  return pageSize === 1 ? 65_536 : pageSize;
}

/** The number of pages in a write-ahead log: a header, then frames of a header and a page. */
function countWalFrames(log: string, pageBytes: number): number {
  const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(0, Math.floor((bytes - 32) / (24 + pageBytes)));
}

interface DatabasePages {
  readonly file: number;
  readonly header: Buffer;
  readonly pageBytes: number;
  readonly pageCount: number;
}

const MAX_SAMPLED_PAGES = 1_024;
const SAMPLED_LAST_PAGES = 64;
const PAGE_START_BYTES = 16;
/** SQLite leaves out the page of this byte, which holds its locks. */
const LOCK_BYTE = 0x4000_0000;

/** Samples pages for holes, such as an unfinished copy leaves: only free pages may be empty. */
function assertPagesWritten(pages: DatabasePages): void {
  const { file, pageBytes, pageCount } = pages;
  const step = Math.ceil(pageCount / MAX_SAMPLED_PAGES);
  const lockPage = Math.floor(LOCK_BYTE / pageBytes) + 1;
  let freePages: ReadonlySet<number> | undefined;
  for (let page = 2; page <= pageCount; page += page + SAMPLED_LAST_PAGES < pageCount ? step : 1) {
    const offset = (page - 1) * pageBytes;
    if (page === lockPage || !isZero(readAt(file, offset, PAGE_START_BYTES))) continue;
    if (!isZero(readAt(file, offset, pageBytes))) continue;
    freePages ??= findFreePages(pages);
    if (!freePages.has(page))
      throw new StoreUnusableError(`page ${page} of it is empty; ${RESTORE_FILE_HINT}`);
  }
}

/** The pages that SQLite may use next: a chain of lists. */
function findFreePages({ file, header, pageBytes, pageCount }: DatabasePages): Set<number> {
  const free = new Set<number>();
  let list = header.readUInt32BE(32);
  while (list > 1 && list <= pageCount && !free.has(list)) {
    const bytes = readAt(file, (list - 1) * pageBytes, pageBytes);
    free.add(list);
    const count = Math.min(bytes.readUInt32BE(4), pageBytes / 4 - 2);
    for (let index = 0; index < count; index++) free.add(bytes.readUInt32BE(8 + 4 * index));
    list = bytes.readUInt32BE(0);
  }
  return free;
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(Buffer.alloc(bytes.length));
}
