import type { FileHandle } from 'node:fs/promises';
import { StoreUnavailableError } from '../../store/open-store.ts';
import type { ByteSpan } from './byte-range.ts';

/** A file that is created chunk by chunk. */
export type ByteChunks = AsyncGenerator<Uint8Array, undefined>;

/** An export that is open for reading. */
export interface OpenFile {
  /** Absent while it is being created. */
  readonly bytes?: number;
  /** The SHA-256 digest of the file; absent while it is being created. */
  readonly digest?: Uint8Array;
  read(span: ByteSpan): ByteChunks;
  close(): Promise<void>;
}

/** One that is complete. */
export type StoredFile = OpenFile & Required<Pick<OpenFile, 'bytes' | 'digest'>>;

const MAX_READ_BYTES = 262_144;

/** The bytes of a span, which the file must have. */
export async function* readChunks(handle: FileHandle, { from, to }: ByteSpan): ByteChunks {
  for (let offset = from; offset < to; ) {
    const buffer = new Uint8Array(Math.min(MAX_READ_BYTES, to - offset));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) throw new StoreUnavailableError('the file of the export was removed');
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
  return undefined;
}
