import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { DEFLATED, LOCAL_FILE_HEADER, STORED } from '../../shared/zip-headers.ts';
import { assertNoBomb } from '../decompress.ts';
import { InvalidFileError } from '../file-contents.ts';
import { readAt, readZipDirectory, type ZipEntry } from './zip-directory.ts';

// Small, because all rows of a chunk are read at once.
const CHUNK_BYTES = 32_768;

/** The files in a ZIP archive, by name; letter case is ignored, as Office does. */
export class ZipArchive {
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(private readonly path: string) {
    this.#entries = readZipDirectory(path);
  }

  get names(): string[] {
    const names = [...this.#entries.values()].map(({ name }) => name);
    return names.filter((name) => !/[\\/]$/.test(name));
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * Streams a file; rejects one that is larger than `maxBytes`, or that does not match its size and CRC-32.
   * `onRead` is called with the size of each compressed chunk.
   */
  async *readBytes(
    fileName: string,
    maxBytes: number,
    onRead?: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(fileName.toLowerCase());
    if (!entry) throw new InvalidFileError(`is damaged: ${fileName} is missing`);
    const { name, size, method, isEncrypted } = entry;
    if (isEncrypted) throw new InvalidFileError('is protected by a password; save it without');
    if (method !== STORED && method !== DEFLATED)
      throw new InvalidFileError(`is packed in a way that is not supported (ZIP method ${method})`);
    if (size > maxBytes)
      throw new InvalidFileError(`is too large: ${name} is over ${formatMiB(maxBytes)}`);
    assertNoBomb(name, size, entry.compressedSize);
    let bytes = 0;
    let checksum = 0;
    for await (const chunk of this.#inflate(entry, onRead)) {
      bytes += chunk.length;
      if (bytes > size) throw new InvalidFileError(`is a zip bomb: ${name} is larger than it says`);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (bytes < size) throw new InvalidFileError(`is damaged: ${name} is cut short`);
    if (checksum !== entry.checksum)
      throw new InvalidFileError(`is damaged: ${name} does not have its checksum (CRC-32)`);
  }

  async *#inflate(entry: ZipEntry, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
    if (entry.compressedSize === 0) return;
    const start = findDataStart(this.path, entry);
    const end = start + entry.compressedSize - 1;
    const compressed = createReadStream(this.path, { start, end, highWaterMark: CHUNK_BYTES });
    const chunks = onRead ? Readable.from(countBytes(compressed, onRead)) : compressed;
    if (entry.method === STORED) return yield* chunks as AsyncIterable<Uint8Array>;
    const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
    // Errors surface in the loop that reads `inflate`; leaving that loop closes both streams.
    pipeline(chunks, inflate, () => {});
    try {
      yield* inflate as AsyncIterable<Uint8Array>;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!code.startsWith('Z_')) throw error;
      throw new InvalidFileError(`is damaged: ${entry.name} cannot be unpacked`);
    }
  }
}

/** Passes chunks on, after calling `onRead` with the size of each. */
async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}

/** The local header has its own name and extra field, of different lengths. */
function findDataStart(path: string, { name, offset }: ZipEntry): number {
  const header = readAt(path, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_FILE_HEADER)
    throw new InvalidFileError(`is damaged: ${name} is not where it should be`);
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

const formatMiB = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString('en')} MiB`;
