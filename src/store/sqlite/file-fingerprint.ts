import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { openDescriptor } from './tenor-file.ts';

const [openFile, readFile, closeFile] = [promisify(open), promisify(read), promisify(close)];

/** Large enough to be quick, small enough not to delay a response. */
const CHUNK_BYTES = 262_144;

/**
 * A hash of all bytes of a database file and of its write-ahead log: while it is the same, so is
 * everything that is stored. Undefined where there is no such file.
 */
export async function readFileFingerprint(path: string): Promise<string | undefined> {
  try {
    return `${await hashFile(openDescriptor(path))} ${await hashLog(`${path}-wal`)}`;
  } catch {
    return undefined;
  }
}

const EMPTY_HASH = '0:0';

/** Closing the log releases no locks: SQLite holds them on other files. */
async function hashLog(path: string): Promise<string> {
  const file = await openFile(path, 'r').catch(() => undefined);
  // An empty one comes and goes with connections.
  if (file === undefined) return EMPTY_HASH;
  return hashFile(file).finally(() => closeFile(file));
}

async function hashFile(file: number): Promise<string> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let hash = 0n;
  for (let position = 0; ; ) {
    const { bytesRead } = await readFile(file, buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return `${position}:${hash.toString(16)}`;
    hash = Bun.hash.xxHash3(buffer.subarray(0, bytesRead), hash);
    position += bytesRead;
  }
}
