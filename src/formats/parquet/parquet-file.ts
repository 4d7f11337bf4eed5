import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { InvalidFileError } from '../file-contents.ts';
import { toSingleLine } from './page-bounds.ts';

export interface RandomAccessFile extends AsyncBuffer {
  slice(start: number, end?: number): ArrayBuffer;
  close(): void;
}

/** Opens a file for positioned reads; a read past its end rejects the file as truncated. */
export function openRandomAccess(path: string): RandomAccessFile {
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  return {
    byteLength: size,
    slice(start, end = size) {
      if (Number.isNaN(start + end))
        throw new InvalidFileError('is damaged: it does not say where its columns are');
      if (!(start >= 0 && start <= end && end <= size))
        throw new InvalidFileError(
          `is cut short: it names bytes ${start} to ${end} of its ${size}`,
        );
      const bytes = new Uint8Array(end - start);
      let length = 0;
      while (length < bytes.length) {
        const position = start + length;
        const bytesRead = readSync(descriptor, bytes.subarray(length), { position });
        if (bytesRead === 0) throw new InvalidFileError('was cut short while it was read');
        length += bytesRead;
      }
      return bytes.buffer;
    },
    close: () => closeSync(descriptor),
  };
}

/** The magic number, an empty footer, its length, and the magic number again. */
const MIN_FILE_BYTES = 12;

export async function readFooter(file: RandomAccessFile): Promise<FileMetaData> {
  const first = readMagicAt(file, 0);
  const last = readMagicAt(file, file.byteLength - 4);
  if (first === 'PARE' || last === 'PARE') throw new InvalidFileError(ENCRYPTED_MESSAGE);
  if (first !== 'PAR1') throw new InvalidFileError('is not a Parquet file: one begins with PAR1');
  if (last !== 'PAR1' || file.byteLength < MIN_FILE_BYTES)
    throw new InvalidFileError('is cut short: a Parquet file ends with PAR1, as it begins');
  let footer: FileMetaData;
  try {
    footer = await parquetMetadataAsync(file, { geoparquet: false });
    const rows = footer.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
    if (rows !== footer.num_rows) throw new Error(`${rows} rows where it says ${footer.num_rows}`);
  } catch (error) {
    throw new InvalidFileError(`has a footer that cannot be read: ${toSingleLine(error)}`, {
      cause: error,
    });
  }
  const chunks = footer.row_groups.flatMap(({ columns }) => columns);
  // A readable footer can still describe encrypted columns.
  if (chunks.some((chunk) => chunk.crypto_metadata !== undefined || !chunk.meta_data))
    throw new InvalidFileError(ENCRYPTED_MESSAGE);
  return footer;
}

const ENCRYPTED_MESSAGE = 'is encrypted; write it again without encryption';

function readMagicAt(file: RandomAccessFile, start: number): string {
  if (file.byteLength < 4) return '';
  return Buffer.from(file.slice(start, start + 4)).toString('latin1');
}
