import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { decompress, detectCompression } from './compression/decompress.ts';
import { type FileInput, InvalidFileError } from './file-contents.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_DECOMPRESSED = { bytes: 4 * 1024 ** 3, words: 'inflates to more than 4 GiB' };

/**
 * Opens a file, and undoes gzip and zstd, which it knows by content. A file that cannot be read is
 * refused here, by name. What is refused later reads on behind the name: `is cut short …`.
 * `onRead` hears of the file's own bytes as `bytes()` reads them, again where it reads them again.
 */
export async function openFileInput(
  path: string,
  onRead?: (bytes: number) => void,
): Promise<FileInput> {
  const compression = detectCompression(await readMagicBytes(path));
  if (compression === undefined) {
    return {
      readBytes: () => streamChunks(path, onRead),
      getPath: async () => path,
      close: () => {},
    };
  }
  let temporary: Promise<SpooledFile> | undefined;
  let made: SpooledFile | undefined;
  const make = async () => {
    made = await spoolToFile(decompress(streamChunks(path), compression), {
      max: MAX_DECOMPRESSED,
    });
    return made;
  };
  return {
    readBytes: () => decompress(streamChunks(path, onRead), compression),
    getPath: async () => {
      temporary ??= make();
      return (await temporary).path;
    },
    close: () => made?.close(),
  };
}

export interface SpooledFile {
  readonly path: string;
  /** Removes the file. */
  close(): void;
}

export interface SpoolOptions {
  /** A stream past so many bytes is refused, in these words. */
  readonly max?: { readonly bytes: number; readonly words: string };
  /** Ends it at once where it is aborted, with its reason. */
  readonly signal?: AbortSignal;
}

/** Writes a stream, such as standard input, to a temporary file. */
export async function spoolToFile(
  stream: AsyncIterable<Uint8Array>,
  { max = { bytes: Infinity, words: '' }, signal }: SpoolOptions = {},
): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-')).catch((error) => {
    throw toSpoolError(error);
  });
  const close = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'data');
  async function* bounded() {
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > max.bytes) throw new InvalidFileError(max.words);
      yield chunk;
    }
  }
  try {
    signal?.throwIfAborted();
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const written = pipeline(bounded, file, { ...(signal && { signal }) });
    // By itself a pipeline that is aborted still waits for the piece that it asked for last.
    await (signal ? Promise.race([written, rejectOnAbort(signal)]) : written);
    return { path, close };
  } catch (error) {
    close();
    throw signal?.aborted ? signal.reason : toSpoolError(error);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What to throw where a stream cannot be kept: a refusal, if the system is why. */
function toSpoolError(error: unknown): unknown {
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
    // Opening a pipe waits for its writer, and it can be read once only.
    if (!status.isFile()) {
      throw new InvalidFileError(`${path} is not a file; pipe its contents to standard input`);
    }
    const file = await open(path);
    try {
      const head = new Uint8Array(4);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      return head.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof InvalidFileError) throw error;
    throw new InvalidFileError(`${path} ${explainReadError(error)}`, { cause: error });
  }
}

function explainReadError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  return `cannot be read: ${code ?? error}`;
}

async function* streamChunks(path: string, onRead?: (bytes: number) => void) {
  const file = await open(path);
  try {
    for (;;) {
      // A new one each time: who is given a piece may keep it.
      const chunk = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      onRead?.(bytesRead);
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
