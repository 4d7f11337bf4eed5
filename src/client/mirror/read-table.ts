import { TenorError } from '../errors.ts';
import type { Row } from './restore-records.ts';

/** Of one file; a row takes as much as some values. */
const [MAX_VALUES, ROW_VALUES, MAX_BYTES] = [33_554_432, 8, 536_870_912];

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** The columns and rows of a Parquet file: days are texts such as `2026-05-31`, integers numbers. */
export async function readTable(bytes: ArrayBuffer, dataset: string): Promise<Table> {
  const parquet = await loadParquetReader();
  const decompress = await loadDecompressor();
  try {
    return await parseTable(bytes, parquet, decompress);
  } catch (cause) {
    const message = `a file with records of ${dataset} cannot be read: ${(cause as Error).message}`;
    throw new TenorError('malformed', message, { url: '' }, { cause });
  }
}

async function parseTable(
  bytes: ArrayBuffer,
  { parquetMetadataAsync, parquetRead, parquetSchema, ...bounds }: ParquetReader,
  decompress: Decompress,
): Promise<Table> {
  // A page of nulls has no bytes, which no decompressor accepts.
  const inflate = (page: Uint8Array, size: number) =>
    size === 0 ? new Uint8Array() : decompress(page, { maxOutputLength: size });
  const file = { byteLength: bytes.byteLength, slice: bytes.slice.bind(bytes) };
  const metadata = await parquetMetadataAsync(file);
  bounds.assertFooterBounds(metadata);
  const count = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
  if (count * (metadata.schema.length + ROW_VALUES) > MAX_VALUES)
    throw new RangeError(`${count} rows are more than are read of one file`);
  let maxGroupBytes = MAX_BYTES;
  for (const group of metadata.row_groups) {
    const bounded = {
      ...file,
      decompress: (codec: string, page: Uint8Array, size: number) =>
        codec === 'UNCOMPRESSED' ? page : inflate(page, size),
      maxGroupBytes,
    };
    maxGroupBytes -= bounds.assertGroupBounds(bounded, group, metadata.schema);
  }
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
  const rows: Row[] = [];
  await parquetRead({
    file,
    metadata,
    compressors: {
      ZSTD: inflate,
    },
    parsers: { dateFromDays: formatDay, stringFromBytes: (text) => utf8.decode(text) },
    onComplete: (read) => {
      for (const row of read) rows.push(row.map(toPlainValue));
    },
  });
  return { columns, rows };
}

type ParquetReader = Awaited<ReturnType<typeof loadParquetReader>>;
type Decompress = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** That of the runtime, or a package: browsers and Node before 22.15 have none. */
async function loadDecompressor(): Promise<Decompress> {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { zstdDecompressSync?: Decompress } };
  };
  const builtIn = process?.getBuiltinModule?.('node:zlib').zstdDecompressSync;
  if (builtIn) return builtIn;
  // Bundlers allow a package in `try` not to be there.
  try {
    const { decompress } = await import('fzstd');
    return (bytes, { maxOutputLength }) => decompress(bytes, new Uint8Array(maxOutputLength));
  } catch (cause) {
    throw createMissingPackageError('fzstd', cause);
  }
}

async function loadParquetReader() {
  try {
    return {
      ...(await import('hyparquet')),
      ...(await import('../../formats/parquet/page-bounds.ts')),
    };
  } catch (cause) {
    throw createMissingPackageError('hyparquet', cause);
  }
}

function createMissingPackageError(name: string, cause: unknown): TenorError {
  const message = `the data of a mirror is read with the package ${name}, which is not installed: npm install ${name}`;
  return new TenorError('unsupported', message, { url: '' }, { cause });
}

const DAY_MS = 86_400_000;

export function formatDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The default would drop a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function toPlainValue(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
