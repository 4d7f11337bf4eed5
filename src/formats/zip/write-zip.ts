import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';

/** A file to be put into a ZIP file. */
export interface ZipPart {
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Writes a ZIP file piece by piece; sizes stand behind each part, as nobody knows them before. The
 * same parts give the same bytes, at whatever time. What needs more than 4 GiB is refused.
 */
export async function* writeZip(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, pieces: chunks } of parts) {
    const start = buildHeader(0x04034b50, name, { crc: 0, packedSize: 0, size: 0 });
    yield start;
    const sums: EntryTotals = { crc: 0, packedSize: 0, size: 0 };
    yield* deflateEntry(chunks, sums);
    const end = buildDataDescriptor(sums);
    yield end;
    directory.push(buildDirectoryEntry(name, sums, offset));
    offset += start.length + sums.packedSize + end.length;
    assertZipSize(offset);
  }
  const entries = Buffer.concat(directory);
  yield Buffer.concat([entries, buildEndOfDirectory(directory.length, entries.length, offset)]);
}

interface EntryTotals {
  crc: number;
  packedSize: number;
  size: number;
}

async function* deflateEntry(
  chunks: ZipPart['pieces'],
  sums: EntryTotals,
): AsyncGenerator<Uint8Array> {
  const counted = async function* () {
    for await (const chunk of chunks) {
      sums.crc = crc32(chunk, sums.crc);
      sums.size += chunk.length;
      assertZipSize(sums.size);
      yield chunk;
    }
  };
  const deflate = createDeflateRaw();
  // Errors of the pieces come out where `deflate` is read, and leaving early closes both.
  pipeline(Readable.from(counted(), { objectMode: true, highWaterMark: 1 }), deflate, () => {});
  for await (const piece of deflate as AsyncIterable<Uint8Array>) {
    sums.packedSize += piece.length;
    yield piece;
  }
}

function assertZipSize(bytes: number): void {
  if (bytes >= 0xffffffff) throw new InvalidFileError('is too large for an .xlsx file');
}

// Sizes follow behind the data, and names are UTF-8.
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
// 1 January 1980, the first day that the format knows.
const DOS_EPOCH_DATE = 0x0021;

/** What both headers of a part have in common, from the signature to the length of the name. */
function buildHeader(signature: number, name: string, sums: EntryTotals): Buffer {
  const fields = Buffer.alloc(30);
  fields.writeUInt32LE(signature, 0);
  fields.writeUInt16LE(VERSION, 4);
  fields.writeUInt16LE(FLAGS, 6);
  fields.writeUInt16LE(DEFLATED, 8);
  fields.writeUInt16LE(DOS_EPOCH_DATE, 12);
  writeSums(fields, sums, 14);
  fields.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([fields, Buffer.from(name)]);
}

function buildDataDescriptor(sums: EntryTotals): Buffer {
  const fields = Buffer.alloc(16);
  fields.writeUInt32LE(0x08074b50, 0);
  writeSums(fields, sums, 4);
  return fields;
}

function buildDirectoryEntry(name: string, sums: EntryTotals, offset: number): Buffer {
  const fields = Buffer.alloc(46);
  const common = buildHeader(0, name, sums);
  fields.writeUInt32LE(0x02014b50, 0);
  fields.writeUInt16LE(VERSION, 4);
  common.copy(fields, 6, 4, 30);
  fields.writeUInt32LE(offset, 42);
  return Buffer.concat([fields, Buffer.from(name)]);
}

function buildEndOfDirectory(count: number, size: number, offset: number): Buffer {
  const fields = Buffer.alloc(22);
  fields.writeUInt32LE(0x06054b50, 0);
  fields.writeUInt16LE(count, 8);
  fields.writeUInt16LE(count, 10);
  fields.writeUInt32LE(size, 12);
  fields.writeUInt32LE(offset, 16);
  return fields;
}

function writeSums(fields: Buffer, { crc, packedSize, size }: EntryTotals, at: number): void {
  fields.writeUInt32LE(crc, at);
  fields.writeUInt32LE(packedSize, at + 4);
  fields.writeUInt32LE(size, at + 8);
}
