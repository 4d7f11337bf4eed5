import { type DecodedArray, type FileMetaData, type ParquetScan, parquetScan } from 'hyparquet';
import {
  type CellRow,
  type CellTable,
  type FileCell,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { type ParquetColumn, readColumns } from './columns.ts';
import { assertSupportedCodecs, DECOMPRESSORS } from './decompressors.ts';
import { assertFooterBounds, assertGroupBounds, BoundsError, toSingleLine } from './page-bounds.ts';
import { openRandomAccess, type RandomAccessFile, readFooter } from './parquet-file.ts';

/** Column names are at position 0. Rejects truncated, nested, encrypted and unsupported files. */
export async function readParquet(input: FileInput): Promise<CellTable> {
  const path = await input.getPath();
  const file = openRandomAccess(path);
  try {
    const footer = await readFooter(file);
    assertSupportedCodecs(footer);
    rejectInvalid(() => assertFooterBounds(footer));
    return {
      kind: 'table',
      locationUnit: 'row',
      rows: streamParquetRows(path, footer, readColumns(footer)),
    };
  } finally {
    file.close();
  }
}

const BATCH_ROWS = 4096;

async function* streamParquetRows(
  path: string,
  footer: FileMetaData,
  columns: readonly ParquetColumn[],
): AsyncGenerator<readonly CellRow[]> {
  yield [{ position: 0, cells: columns.map(({ name }) => name) }];
  const file = openRandomAccess(path);
  try {
    const schema = [
      ...footer.schema.slice(0, 1),
      ...columns.map(({ schemaElement }) => schemaElement),
    ];
    const metadata = { ...footer, schema };
    const scan = await parquetScan({
      file,
      metadata,
      compressors: DECOMPRESSORS,
      parsers: HYPARQUET_PARSERS,
      utf8: false,
      // It could name other pages than those that are checked.
      useOffsetIndex: false,
    });
    for (const range of splitRowGroups(file, footer, columns)) {
      const values = await readColumnValues(scan, columns, range);
      const count = range.rowEnd - range.rowStart;
      for (let start = 0; start < count; start += BATCH_ROWS) {
        const end = Math.min(start + BATCH_ROWS, count);
        const rows = toRows(columns, values, { start, end, firstPosition: range.rowStart + 1 });
        if (rows.length > 0) yield rows;
      }
    }
  } catch (cause) {
    if (cause instanceof InvalidFileError) throw cause;
    throw new InvalidFileError(`cannot be read: ${toSingleLine(cause)}`, { cause });
  } finally {
    file.close();
  }
}

interface RowRange {
  readonly rowStart: number;
  readonly rowEnd: number;
}

const MIN_ROWS_PER_RANGE = 65_536;
const MAX_RANGES_PER_GROUP = 32;
const MAX_GROUP_BYTES = 2_048 * 1_048_576;
const MAX_CELLS_PER_RANGE = 32 * 1_048_576;

/** The ranges of all row groups, each checked before its first range. */
function* splitRowGroups(
  file: RandomAccessFile,
  footer: FileMetaData,
  columns: readonly ParquetColumn[],
): Generator<RowRange> {
  const elements = columns.map(({ schemaElement }) => schemaElement);
  const bounded = { ...file, decompress, maxGroupBytes: MAX_GROUP_BYTES };
  let rowStart = 0;
  for (const group of footer.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    if (rowEnd > rowStart) rejectInvalid(() => void assertGroupBounds(bounded, group, elements));
    yield* splitRowGroup({ rowStart, rowEnd }, columns.length);
    rowStart = rowEnd;
  }
}

function decompress(codec: string, bytes: Uint8Array, size: number): Uint8Array {
  return DECOMPRESSORS[codec as keyof typeof DECOMPRESSORS](bytes, size);
}

function rejectInvalid(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw cause instanceof BoundsError ? new InvalidFileError(cause.message, { cause }) : cause;
  }
}

/** Decodes few rows at a time, in few ranges: each may read the pages before it again. */
function* splitRowGroup({ rowStart, rowEnd }: RowRange, columns: number): Generator<RowRange> {
  const fitting = Math.floor(MAX_CELLS_PER_RANGE / columns);
  const fewest = Math.ceil((rowEnd - rowStart) / MAX_RANGES_PER_GROUP);
  if (fewest > fitting)
    throw new InvalidFileError(`has ${columns} columns; write smaller row groups`);
  const rows = Math.max(fewest, Math.min(MIN_ROWS_PER_RANGE, fitting));
  for (let start = rowStart; start < rowEnd; start += rows)
    yield { rowStart: start, rowEnd: Math.min(start + rows, rowEnd) };
}

/** The stored values of each column; one column after the other, to limit memory. */
async function readColumnValues(
  scan: ParquetScan,
  columns: readonly ParquetColumn[],
  range: RowRange,
): Promise<DecodedArray[]> {
  const values: DecodedArray[] = [];
  for (const { name } of columns) {
    try {
      const column = await scan.readColumn({ column: name, ...range });
      if (column.length !== range.rowEnd - range.rowStart) throw new Error('values are missing');
      values.push(column);
    } catch (error) {
      if (error instanceof InvalidFileError) throw error;
      const rows = `rows ${range.rowStart + 1} to ${range.rowEnd}`;
      const message = `column ${toSingleLine(name)}, ${rows}, cannot be read: ${toSingleLine(error)}`;
      throw new InvalidFileError(message, { cause: error });
    }
  }
  return values;
}

function toRows(
  columns: readonly ParquetColumn[],
  values: readonly DecodedArray[],
  { start, end, firstPosition }: { start: number; end: number; firstPosition: number },
): CellRow[] {
  const rows: CellRow[] = [];
  for (let index = start; index < end; index += 1) {
    const cells = columns.map(({ toCell, name }, column): FileCell => {
      const value: unknown = values[column]?.[index];
      if (value === undefined) {
        const location = `column ${toSingleLine(name)}, row ${firstPosition + index},`;
        throw new InvalidFileError(`${location} names a value that is not there`);
      }
      return value === null ? null : toCell(value as never);
    });
    if (cells.some((cell) => cell !== null && cell !== ''))
      rows.push({ position: firstPosition + index, cells });
  }
  return rows;
}

/** The default would insert replacement characters and drop a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const HYPARQUET_PARSERS = {
  stringFromBytes(bytes: Uint8Array): string {
    try {
      return utf8.decode(bytes);
    } catch {
      throw new Error('it holds bytes that are not UTF-8 text');
    }
  },
  /** Only called for INT96; all other timestamps are decoded as stored. */
  timestampFromNanoseconds: (nanoseconds: bigint): bigint => nanoseconds,
};
