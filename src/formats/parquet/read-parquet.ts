import { type DecodedArray, type FileMetaData, type ParquetScan, parquetScan } from 'hyparquet';
import {
  type CellRow,
  type CellTable,
  type FileCell,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { assertSupportedCodecs, DECOMPRESSORS } from './codecs.ts';
import { type ParquetColumn, readColumns } from './columns.ts';
import { openRandomAccess, readFooter, toSingleLine } from './parquet-file.ts';

/**
 * A Parquet file as a table: the names of its columns at 0, and its rows from 1 on. Refuses, with
 * one line for a person, what is not whole, not flat, encrypted, or compressed in a rare way.
 */
export async function readParquet(input: FileInput): Promise<CellTable> {
  const path = await input.getPath();
  const file = openRandomAccess(path);
  try {
    const footer = await readFooter(file);
    assertSupportedCodecs(footer);
    return {
      kind: 'table',
      locationUnit: 'row',
      rows: streamParquetRows(path, footer, readColumns(footer)),
    };
  } finally {
    file.close();
  }
}

/** Rows given on at a time. */
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
    });
    for (const range of scan.ranges.flatMap(splitRowGroup)) {
      const values = await readColumnValues(scan, columns, range);
      const count = range.rowEnd - range.rowStart;
      for (let start = 0; start < count; start += BATCH_ROWS) {
        const end = Math.min(start + BATCH_ROWS, count);
        const rows = toRows(start, end, range.rowStart + 1, columns, values);
        if (rows.length > 0) yield rows;
      }
    }
  } finally {
    file.close();
  }
}

interface RowRange {
  readonly rowStart: number;
  readonly rowEnd: number;
}

const ROWS_PER_PART = 65_536;
const MAX_PARTS_PER_GROUP = 32;

/**
 * A row group in parts, so that few of its rows are decoded at a time. Each part passes over the
 * pages before it, and reads their bytes again where the file has no page index, so the parts of a
 * group are kept few.
 */
function splitRowGroup({ rowStart, rowEnd }: RowRange): RowRange[] {
  const rows = Math.max(ROWS_PER_PART, Math.ceil((rowEnd - rowStart) / MAX_PARTS_PER_GROUP));
  const parts: RowRange[] = [];
  for (let start = rowStart; start < rowEnd; start += rows) {
    parts.push({ rowStart: start, rowEnd: Math.min(start + rows, rowEnd) });
  }
  return parts;
}

/** The stored values of each column; one column after the other, since each needs its own bytes. */
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
      const fault = `column ${toSingleLine(name)}, ${rows}, cannot be read: ${toSingleLine(error)}`;
      throw new InvalidFileError(fault, { cause: error });
    }
  }
  return values;
}

function toRows(
  start: number,
  end: number,
  at: number,
  columns: readonly ParquetColumn[],
  values: readonly DecodedArray[],
): CellRow[] {
  const rows: CellRow[] = [];
  for (let index = start; index < end; index += 1) {
    const cells = columns.map(({ toCell, name }, column): FileCell => {
      const value: unknown = values[column]?.[index];
      if (value === undefined) {
        const place = `column ${toSingleLine(name)}, row ${at + index},`;
        throw new InvalidFileError(`${place} names a value that is not there`);
      }
      return value === null ? null : toCell(value as never);
    });
    if (cells.some((cell) => cell !== null && cell !== ''))
      rows.push({ position: at + index, cells });
  }
  return rows;
}

/** Strict where the default would put replacement characters or drop a leading mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const HYPARQUET_PARSERS = {
  stringFromBytes(bytes: Uint8Array): string {
    try {
      return utf8.decode(bytes);
    } catch {
      throw new Error('it holds bytes that are not UTF-8 text');
    }
  },
  /** Only the old 96-bit times come here: all others are decoded as stored. */
  timestampFromNanoseconds: (nanoseconds: bigint): bigint => nanoseconds,
};
