import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { InvalidFileError } from '../file-contents.ts';

/** A file inside a ZIP file, as the directory at its end tells of it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly packedSize: number;
  readonly size: number;
  /** Where its own header begins. */
  readonly offset: number;
}

/**
 * The directory of a ZIP file, by names in lower case with `/` between folders; zip64 is read too.
 * What is not a ZIP file, or not a whole one, is refused.
 */
export function readZipDirectory(path: string): ReadonlyMap<string, ZipEntry> {
  assertZipFile(readAt(path, 0, 8));
  const { offset, size } = locateDirectory(path);
  if (size > MAX_DIRECTORY_BYTES)
    throw new InvalidFileError('is a ZIP file with far too many files in it');
  const directory = readAt(path, offset, size);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50; ) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const entry = parseZipEntry(
      directory.subarray(at, at + 46),
      directory.toString('utf8', at + 46, nameEnd),
      directory.subarray(nameEnd, extraEnd),
    );
    // Some writers put Windows' backslashes into the names.
    entries.set(entry.name.replaceAll('\\', '/').toLowerCase(), entry);
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** What the file holds there; less than asked for where it ends before. */
export function readAt(path: string, position: number, bytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const held = Math.max(0, Math.min(bytes, statSync(path).size - position));
    const buffer = Buffer.alloc(held);
    return buffer.subarray(0, held === 0 ? 0 : readSync(file, buffer, 0, held, position));
  } finally {
    closeSync(file);
  }
}

// A directory of this size lists more than a hundred thousand files.
const MAX_DIRECTORY_BYTES = 16 * 1_048_576;

const TRUNCATED_ZIP = 'is a ZIP file that is cut short or damaged';

function assertZipFile(start: Buffer): void {
  // Excel keeps what has a password, and all of its old format, in a container of another kind.
  if (start.toString('hex') === 'd0cf11e0a1b11ae1') {
    throw new InvalidFileError(
      'is protected by a password, or is an old .xls file; save it without, as .xlsx',
    );
  }
  if (start.toString('latin1', 0, 2) !== 'PK') {
    throw new InvalidFileError('is not an Excel workbook (.xlsx)');
  }
}

/** The directory's place stands at the very end, with only a comment behind it. */
function locateDirectory(path: string): { offset: number; size: number } {
  const length = statSync(path).size;
  const tailStart = Math.max(0, length - 22 - 0xffff);
  const tail = readAt(path, tailStart, length - tailStart);
  const end = tail.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + 22 > tail.length) throw new InvalidFileError(TRUNCATED_ZIP);
  const place = { size: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) };
  const wide = end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50;
  const { size, offset } = wide ? locateZip64Directory(path, readUint64(tail, end - 12)) : place;
  if (offset + size > length) throw new InvalidFileError(TRUNCATED_ZIP);
  return { size, offset };
}

function locateZip64Directory(path: string, at: number): { offset: number; size: number } {
  const record = readAt(path, at, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50)
    throw new InvalidFileError(TRUNCATED_ZIP);
  return { size: readUint64(record, 40), offset: readUint64(record, 48) };
}

function parseZipEntry(header: Buffer, name: string, extra: Buffer): ZipEntry {
  const wide = readZip64Numbers(extra);
  // A number that does not fit is all ones here, and stands among the extras, in this order.
  const numberAt = (at: number) => {
    const number = header.readUInt32LE(at);
    return number === 0xffffffff ? (wide.shift() ?? number) : number;
  };
  const size = numberAt(24);
  const packedSize = numberAt(20);
  const offset = numberAt(42);
  const encrypted = (header.readUInt16LE(8) & 1) === 1;
  return { name, method: header.readUInt16LE(10), encrypted, packedSize, size, offset };
}

function readZip64Numbers(extra: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2));
    for (let field = at + 4; field + 8 <= end; field += 8) numbers.push(readUint64(extra, field));
  }
  return numbers;
}

const readUint64 = (buffer: Buffer, at: number) => Number(buffer.readBigUInt64LE(at));
