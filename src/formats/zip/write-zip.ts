import { constants, crc32, deflateRawSync } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';
import { CENTRAL_FILE_HEADER, DEFLATED, LOCAL_FILE_HEADER } from './zip-directory.ts';

interface ZipPart {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Up to 4 GiB, with data descriptors as sizes are not known before, and without dates. */
export async function* writeZip(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, chunks } of parts) {
    const header = buildLocalHeader(name);
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

async function* deflateEntry(chunks: ZipPart['chunks'], sums: EntrySums) {
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

function buildLocalHeader(name: string): Buffer {
  const fields = buildEntryFields(name, { crc: 0, compressedSize: 0, size: 0 });
  return Buffer.concat([uint32(LOCAL_FILE_HEADER), fields, Buffer.from(name)]);
}

function buildDataDescriptor({ crc, compressedSize, size }: EntrySums): Buffer {
  return uint32(0x08074b50, crc, compressedSize, size);
}

function buildCentralHeader(name: string, sums: EntrySums, offset: number): Buffer {
  return Buffer.concat([
    uint32(CENTRAL_FILE_HEADER),
    uint16(VERSION),
    buildEntryFields(name, sums),
    // No comment, the first disk, no attributes.
    uint16(0, 0, 0),
    uint32(0, offset),
    Buffer.from(name),
  ]);
}

/** The fields that the local and the central header of a file share. */
function buildEntryFields(name: string, { crc, compressedSize, size }: EntrySums): Buffer {
  return Buffer.concat([
    uint16(VERSION, FLAGS, DEFLATED, 0, DOS_EPOCH_DATE),
    uint32(crc, compressedSize, size),
    uint16(Buffer.byteLength(name), 0),
  ]);
}

function buildEndOfDirectory(count: number, size: number, offset: number): Buffer {
  const counts = uint16(0, 0, count, count);
  return Buffer.concat([uint32(0x06054b50), counts, uint32(size, offset), uint16(0)]);
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
