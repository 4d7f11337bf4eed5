import { constants, crc32, deflateRawSync } from 'node:zlib';
import {
  buildCentralHeader,
  buildEndOfDirectory,
  buildLocalHeader,
  DEFLATED,
  UTF8_NAMES,
  uint32,
} from '../../shared/zip-headers.ts';
import { InvalidFileError } from '../file-contents.ts';

interface ZipPart {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Up to 4 GiB, without dates, and with data descriptors, because sizes are not known beforehand. */
export async function* writeZip(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, chunks } of parts) {
    const sums = { flags: FLAGS, method: DEFLATED, crc: 0, compressedSize: 0, size: 0 };
    const header = buildLocalHeader(name, sums);
    yield header;
    yield* deflateEntry(chunks, sums);
    const descriptor = uint32(0x08074b50, sums.crc, sums.compressedSize, sums.size);
    yield descriptor;
    directory.push(buildCentralHeader(name, sums, offset));
    offset += header.length + sums.compressedSize + descriptor.length;
    assertZipSize(offset);
  }
  const headers = Buffer.concat(directory);
  yield Buffer.concat([headers, buildEndOfDirectory(directory.length, headers.length, offset)]);
}

// A data descriptor follows the data.
const FLAGS = 0x0008 | UTF8_NAMES;

interface EntrySums {
  crc: number;
  compressedSize: number;
  size: number;
}

async function* deflateEntry(chunks: ZipPart['chunks'], sums: EntrySums) {
  // Each chunk is compressed separately: in short steps, at the cost of one percent more space.
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
