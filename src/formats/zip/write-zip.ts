import { constants, crc32, deflateRawSync } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';
import { CENTRAL_FILE_HEADER, DEFLATED, LOCAL_FILE_HEADER } from './zip-directory.ts';

export interface ZipPart {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Up to 4 GiB, with data descriptors as sizes are not known before, and without dates. */
export async function* writeZip(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, chunks } of parts) {
    const header = buildLocalHeader(name, { crc: 0, compressedSize: 0, size: 0 });
    yield header;
    const sums: EntrySums = { crc: 0, compressedSize: 0, size: 0 };
    yield* deflateEntry(chunks, sums);
    const descriptor = buildDataDescriptor(sums);
    yield descriptor;
    directory.push(buildCentralHeader(name, sums, offset));
    offset += header.length + sums.compressedSize + descriptor.length;
    assertZipSize(offset);
  }
  const headers = Buffer.concat(directory);
  yield Buffer.concat([headers, buildEndOfDirectory(directory.length, headers.length, offset)]);
}

interface EntrySums {
  crc: number;
  compressedSize: number;
  size: number;
}

async function* deflateEntry(
  chunks: ZipPart['chunks'],
  sums: EntrySums,
): AsyncGenerator<Uint8Array> {
  // Each chunk is compressed by itself, which takes little time at once and a percent more space.
  for await (const chunk of chunks) {
    sums.crc = crc32(chunk, sums.crc);
    sums.size += chunk.length;
    assertZipSize(sums.size);
    const compressed = deflateRawSync(chunk, { finishFlush: constants.Z_SYNC_FLUSH });
    sums.compressedSize += compressed.length;
    yield compressed;
  }
  sums.compressedSize += LAST_BLOCK.length;
  yield LAST_BLOCK;
}

/** The empty block that ends deflated data. */
const LAST_BLOCK = Uint8Array.of(3, 0);

function assertZipSize(bytes: number): void {
  if (bytes >= 0xffffffff) throw new InvalidFileError('is too large for an .xlsx file');
}

// A data descriptor follows the data, and names are UTF-8.
const FLAGS = 0x0808;
const VERSION = 20;
// 1 January 1980, the first day of the format.
const DOS_EPOCH_DATE = 0x0021;

function buildLocalHeader(name: string, sums: EntrySums): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_FILE_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DOS_EPOCH_DATE, 12);
  writeSums(header, sums, 14);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function buildDataDescriptor(sums: EntrySums): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  writeSums(descriptor, sums, 4);
  return descriptor;
}

/** A central header repeats the fields of the local one. */
function buildCentralHeader(name: string, sums: EntrySums, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL_FILE_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  buildLocalHeader(name, sums).copy(header, 6, 4, 30);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(name)]);
}

function buildEndOfDirectory(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

function writeSums(record: Buffer, { crc, compressedSize, size }: EntrySums, offset: number): void {
  record.writeUInt32LE(crc, offset);
  record.writeUInt32LE(compressedSize, offset + 4);
  record.writeUInt32LE(size, offset + 8);
}
