import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { CENTRAL_FILE_HEADER } from '../../shared/zip-headers.ts';
import { InvalidFileError } from '../file-contents.ts';

export type ZipEntry = Readonly<ReturnType<typeof parseZipEntry>>;

/** The central directory, ZIP64 included, by names in lower case with `/` between folders. */
export function readZipDirectory(path: string): ReadonlyMap<string, ZipEntry> {
  assertZipFile(readAt(path, 0, 8));
  const { offset, size } = locateDirectory(path);
  if (size > MAX_DIRECTORY_BYTES)
    throw new InvalidFileError('is a ZIP file with far too many files in it');
  const directory = readAt(path, offset, size);
  const entries = new Map<string, ZipEntry>();
  let [start, compressedSize] = [0, 0];
  while (start + 46 <= directory.length && directory.readUInt32LE(start) === CENTRAL_FILE_HEADER) {
    const nameEnd = start + 46 + directory.readUInt16LE(start + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(start + 30);
    const entry = parseZipEntry(
      directory.subarray(start, start + 46),
      directory.toString('utf8', start + 46, nameEnd),
      directory.subarray(nameEnd, extraEnd),
    );
    // Some writers use backslashes, as Windows does.
    entries.set(entry.name.replaceAll('\\', '/').toLowerCase(), entry);
    compressedSize += entry.compressedSize;
    start = extraEnd + directory.readUInt16LE(start + 32);
  }
  if (compressedSize > statSync(path).size)
    throw new InvalidFileError('is a zip bomb: its files share their data');
  return entries;
}

/** Returns fewer bytes at the end of the file. */
export function readAt(path: string, position: number, bytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const length = Math.max(0, Math.min(bytes, statSync(path).size - position));
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, length === 0 ? 0 : readSync(file, buffer, 0, length, position));
  } finally {
    closeSync(file);
  }
}

// A directory of this size lists over a hundred thousand files.
const MAX_DIRECTORY_BYTES = 16 * 1_048_576;

const TRUNCATED_ZIP = 'is a ZIP file that is cut short or damaged';

function assertZipFile(start: Buffer): void {
  // An OLE compound file, which Excel uses for passwords and for its old format.
  if (start.toString('hex') === 'd0cf11e0a1b11ae1')
    throw new InvalidFileError(
      'is protected by a password, or is an old .xls file; save it without, as .xlsx',
    );
  if (start.toString('latin1', 0, 2) !== 'PK')
    throw new InvalidFileError('is not an Excel workbook (.xlsx)');
}

/** Reads the end of central directory record, which only a comment can follow. */
function locateDirectory(path: string): { offset: number; size: number } {
  const length = statSync(path).size;
  const tailStart = Math.max(0, length - 22 - 0xffff);
  const tail = readAt(path, tailStart, length - tailStart);
  const end = tail.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + 22 > tail.length) throw new InvalidFileError(TRUNCATED_ZIP);
  const isZip64 = end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50;
  const { size, offset } = isZip64
    ? locateZip64Directory(path, readUint64(tail, end - 12))
    : { size: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) };
  if (offset + size > length) throw new InvalidFileError(TRUNCATED_ZIP);
  return { size, offset };
}

function locateZip64Directory(path: string, position: number): { offset: number; size: number } {
  const record = readAt(path, position, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50)
    throw new InvalidFileError(TRUNCATED_ZIP);
  return { size: readUint64(record, 40), offset: readUint64(record, 48) };
}

/** The method, sizes and CRC-32 of a file, and the offset of its local header. */
function parseZipEntry(header: Buffer, name: string, extra: Buffer) {
  const zip64Numbers = readZip64Numbers(extra);
  // A 64-bit number is all ones here; its value is in the extra field, in this order.
  const readNumber = (position: number) => {
    const number = header.readUInt32LE(position);
    return number === 0xffffffff ? (zip64Numbers.shift() ?? number) : number;
  };
  const size = readNumber(24);
  const compressedSize = readNumber(20);
  const offset = readNumber(42);
  const isEncrypted = (header.readUInt16LE(8) & 1) === 1;
  const method = header.readUInt16LE(10);
  const checksum = header.readUInt32LE(16);
  return { name, method, isEncrypted, checksum, compressedSize, size, offset };
}

function readZip64Numbers(extra: Buffer): number[] {
  const numbers: number[] = [];
  for (let start = 0; start + 4 <= extra.length; start += 4 + extra.readUInt16LE(start + 2)) {
    if (extra.readUInt16LE(start) !== 1) continue;
    const end = Math.min(extra.length, start + 4 + extra.readUInt16LE(start + 2));
    for (let field = start + 4; field + 8 <= end; field += 8)
      numbers.push(readUint64(extra, field));
  }
  return numbers;
}

const readUint64 = (buffer: Buffer, offset: number) => Number(buffer.readBigUInt64LE(offset));
