import { createWriteStream, rmSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { explainReadError } from '../shared/file-error.ts';
import { formatNames } from '../shared/format-names.ts';
import { createTemporaryFolder } from '../shared/temporary-folder.ts';
import { decompress, detectCompression } from './decompress.ts';
import { type FileInput, InvalidFileError } from './file-contents.ts';
import type { TextOptions } from './text-encoding.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_DECOMPRESSED_BYTES = 4 * 1024 ** 3;

/**
 * Opens a file and decompresses gzip, zstd, and the only file of a ZIP archive, all detected by content.
 * Errors thrown here name the file; messages of later errors are predicates that follow its name: `is cut
 * short …`. `onRead` is called with the size of each compressed chunk, again if the file is read again.
 */
export async function openFileInput(
  path: string,
  onRead?: (bytes: number) => void,
  text?: TextOptions,
): Promise<FileInput> {
  const readBytes = await findDecompressor(path, await readMagicBytes(path));
  let spooling: Promise<SpooledFile> | undefined;
  let spooled: SpooledFile | undefined;
  return {
    text,
    extension: extname(readBytes ? path.slice(0, -extname(path).length) : path),
    readBytes: () => (readBytes ? readBytes(onRead) : streamChunks(path, onRead)),
    getPath: async () => {
      if (!readBytes) return path;
      spooling ??= spoolToFile(readBytes(), { maxBytes: MAX_DECOMPRESSED_BYTES });
      spooled = await spooling;
      return spooled.path;
    },
    close: () => spooled?.close(),
  };
}

type ReadBytes = (onRead?: (bytes: number) => void) => AsyncIterable<Uint8Array>;

/** The function that reads the decompressed bytes of a file; undefined if it is not compressed. */
async function findDecompressor(path: string, magic: Uint8Array): Promise<ReadBytes | undefined> {
  const compression = detectCompression(magic);
  if (compression) return (onRead) => decompress(streamChunks(path, onRead), compression);
  try {
    return await findPackedFile(path, magic);
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    throw new InvalidFileError(`${path} ${error.message}`, { cause: error });
  }
}

export interface SpooledFile {
  readonly path: string;
  close(): void;
}

/** Writes a stream, such as standard input, to a temporary file. */
export async function spoolToFile(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes = Infinity, signal }: { maxBytes?: number; signal?: AbortSignal } = {},
): Promise<SpooledFile> {
  let folder = '';
  const close = () => rmSync(folder, { recursive: true, force: true });
  async function* limitBytes() {
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new InvalidFileError('inflates to more than 4 GiB');
      yield chunk;
    }
  }
  try {
    signal?.throwIfAborted();
    folder = createTemporaryFolder();
    const path = join(folder, 'data');
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const writing = pipeline(limitBytes, file, { ...(signal && { signal }) });
    // An aborted pipeline alone would still wait for the next chunk of the stream.
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    await Promise.race([writing, aborted]);
    return { path, close };
  } catch (error) {
    if (folder !== '') close();
    throw signal?.aborted ? signal.reason : toSpoolError(error);
  }
}

/** Turns a system error into an InvalidFileError; returns any other error unchanged. */
export function toSpoolError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z0-9]+$/.test(code ?? '')) return error;
  return new InvalidFileError(`cannot be kept in a temporary file: ${message}; see TMPDIR`, {
    cause: error,
  });
}

async function readMagicBytes(path: string): Promise<Uint8Array> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw new InvalidFileError(`${path} is a folder`);
    // Opening a pipe waits for a writer, and a pipe can be read only once.
    if (!status.isFile())
      throw new InvalidFileError(`${path} is not a file; pipe its contents to standard input`);
    return await Bun.file(path).slice(0, 4).bytes();
  } catch (error) {
    if (error instanceof InvalidFileError) throw error;
    throw new InvalidFileError(`${path} ${explainReadError(error)}`, { cause: error });
  }
}

async function* streamChunks(path: string, onRead: (bytes: number) => void = () => {}) {
  const file = await open(path);
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES));
      if (bytesRead === 0) return;
      onRead(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Streams the only file of a ZIP archive; undefined for a workbook or a file that is not an archive. */
async function findPackedFile(path: string, magic: Uint8Array) {
  if (Buffer.from(magic).toString('latin1') !== 'PK\x03\x04') return undefined;
  const { ZipArchive } = await import('./zip/zip-archive.ts');
  const zip = new ZipArchive(path);
  if (WORKBOOK_PARTS.some((name) => zip.has(name))) return undefined;
  if (zip.has('mimetype') && zip.has('content.xml'))
    throw new InvalidFileError('is an OpenDocument file (.ods); save it as .xlsx');
  const names = zip.names.filter((name) => !isSystemFile(name));
  const [name] = names;
  if (name === undefined) throw new InvalidFileError('is a ZIP file with no file in it');
  if (names.length > 1) {
    const list = formatNames(names, MAX_LISTED_FILES);
    const message = `is a ZIP file with ${names.length} files, and may have one: ${list}; unpack it`;
    throw new InvalidFileError(`${message}, and name the file that is meant`);
  }
  return (onRead?: (bytes: number) => void) => zip.readBytes(name, MAX_DECOMPRESSED_BYTES, onRead);
}

const WORKBOOK_PARTS = ['_rels/.rels', '[Content_Types].xml'];

/** Files that macOS and Windows add to archives. */
const isSystemFile = (name: string) =>
  /^__MACOSX\/|(^|\/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name);

const MAX_LISTED_FILES = 20;
