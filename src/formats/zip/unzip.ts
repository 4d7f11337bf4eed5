import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';
import { readAt, readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** The files inside a ZIP file, by name; letter case is ignored, as Office does. */
export interface ZipArchive {
  has(name: string): boolean;
  /**
   * The bytes of one of its files, in small pieces, never the whole in memory. One that is, or
   * says that it is, larger than `bound` is refused, and so is one that is not as large as it says.
   */
  readBytes(name: string, bound: number): AsyncIterable<Uint8Array>;
}

/** Opens a ZIP file by its directory; what is not a whole ZIP file is refused. */
export function openZip(path: string): ZipArchive {
  const entries = readZipDirectory(path);
  return {
    has: (name) => entries.has(name.toLowerCase()),
    readBytes(name, bound) {
      const entry = entries.get(name.toLowerCase());
      if (!entry) throw new InvalidFileError(`is damaged: ${name} is missing`);
      return readEntryBytes(path, entry, bound);
    },
  };
}

// Small pieces, since what stands in one piece is turned into rows in one go.
const PIECE_BYTES = 32_768;

const STORED = 0;
const DEFLATED = 8;

async function* readEntryBytes(
  path: string,
  entry: ZipEntry,
  bound: number,
): AsyncGenerator<Uint8Array> {
  const { name, size, method } = entry;
  if (entry.encrypted) throw new InvalidFileError('is protected by a password; save it without');
  if (method !== STORED && method !== DEFLATED) {
    throw new InvalidFileError(`is packed in a way that is not supported (ZIP method ${method})`);
  }
  if (size > bound) throw new InvalidFileError(`is too large: ${name} is over ${formatMiB(bound)}`);
  let seen = 0;
  for await (const chunk of inflateEntry(path, entry)) {
    seen += chunk.length;
    if (seen > size) throw new InvalidFileError(`is a zip bomb: ${name} is larger than it says`);
    yield chunk;
  }
  if (seen < size) throw new InvalidFileError(`is damaged: ${name} is cut short`);
}

async function* inflateEntry(path: string, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  if (entry.packedSize === 0) return;
  const start = findDataStart(path, entry);
  const end = start + entry.packedSize - 1;
  const packed = createReadStream(path, { start, end, highWaterMark: PIECE_BYTES });
  if (entry.method === STORED) return yield* packed as AsyncIterable<Uint8Array>;
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // Errors of either come out where `inflate` is read, and leaving early closes both.
  pipeline(packed, inflate, () => {});
  yield* withDamageErrors(inflate, entry.name);
}

async function* withDamageErrors(chunks: Readable, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw new InvalidFileError(`is damaged: ${name} cannot be unpacked`);
  }
}

/** The header in front of the data has a name and extras of its own, which may differ in length. */
function findDataStart(path: string, { name, offset }: ZipEntry): number {
  const header = readAt(path, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) {
    throw new InvalidFileError(`is damaged: ${name} is not where it should be`);
  }
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

const formatMiB = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString('en')} MiB`;
