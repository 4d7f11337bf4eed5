import { type DecodedArray, type FileMetaData, type ParquetScan, parquetScan } from 'hyparquet';
import { type Cell, FileRefused, type Input, type Row, type Table } from '../format.ts';
import { decompressors, refuseUnknownCodec } from './codecs.ts';
import { columnsOf, type ParquetColumn } from './columns.ts';
import { oneLine, openPositioned, readFooter } from './file.ts';

/**
 * A Parquet file as a table: the names of its columns at 0, and its rows from 1 on. Refuses, with
 * one line for a person, what is not whole, not flat, encrypted, or compressed in a rare way.
 */
export async function readParquet(input: Input): Promise<Table> {
  const path = await input.file();
  const file = openPositioned(path);
  try {
    const footer = await readFooter(file);
    refuseUnknownCodec(footer);
    return { kind: 'table', place: 'row', rows: rowsOf(path, footer, columnsOf(footer)) };
  } finally {
    file.close();
  }
}

/** Rows given on at a time. */
const BATCH_ROWS = 4096;

async function* rowsOf(
  path: string,
  footer: FileMetaData,
  columns: readonly ParquetColumn[],
): AsyncGenerator<readonly Row[]> {
  yield [{ at: 0, cells: columns.map(({ name }) => name) }];
  const file = openPositioned(path);
  try {
    const schema = [...footer.schema.slice(0, 1), ...columns.map(({ stored }) => stored)];
    const metadata = { ...footer, schema };
    const scan = await parquetScan({
      file,
      metadata,
      compressors: decompressors,
      parsers,
      utf8: false,
    });
    for (const range of scan.ranges.flatMap(partsOf)) {
      const values = await valuesIn(scan, columns, range);
      const count = range.rowEnd - range.rowStart;
      for (let start = 0; start < count; start += BATCH_ROWS) {
        const end = Math.min(start + BATCH_ROWS, count);
        const rows = rowsBetween(start, end, range.rowStart + 1, columns, values);
        if (rows.length > 0) yield rows;
      }
    }
  } finally {
    file.close();
  }
}

interface Range {
  readonly rowStart: number;
  readonly rowEnd: number;
}

const PART_ROWS = 65_536;
const MOST_PARTS = 32;

/**
 * A row group in parts, so that few of its rows are decoded at a time. Each part passes over the
 * pages before it, and reads their bytes again where the file has no page index, so the parts of a
 * group are kept few.
 */
function partsOf({ rowStart, rowEnd }: Range): Range[] {
  const rows = Math.max(PART_ROWS, Math.ceil((rowEnd - rowStart) / MOST_PARTS));
  const parts: Range[] = [];
  for (let start = rowStart; start < rowEnd; start += rows) {
    parts.push({ rowStart: start, rowEnd: Math.min(start + rows, rowEnd) });
  }
  return parts;
}

/** The stored values of each column; one column after the other, since each needs its own bytes. */
async function valuesIn(
  scan: ParquetScan,
  columns: readonly ParquetColumn[],
  range: Range,
): Promise<DecodedArray[]> {
  const values: DecodedArray[] = [];
  for (const { name } of columns) {
    try {
      const column = await scan.readColumn({ column: name, ...range });
      if (column.length !== range.rowEnd - range.rowStart) throw new Error('values are missing');
      values.push(column);
    } catch (error) {
      if (error instanceof FileRefused) throw error;
      const rows = `rows ${range.rowStart + 1} to ${range.rowEnd}`;
      const fault = `column ${oneLine(name)}, ${rows}, cannot be read: ${oneLine(error)}`;
      throw new FileRefused(fault, { cause: error });
    }
  }
  return values;
}

function rowsBetween(
  start: number,
  end: number,
  at: number,
  columns: readonly ParquetColumn[],
  values: readonly DecodedArray[],
): Row[] {
  const rows: Row[] = [];
  for (let index = start; index < end; index += 1) {
    const cells = columns.map(({ cell, name }, column): Cell => {
      const value: unknown = values[column]?.[index];
      if (value === undefined) {
        const place = `column ${oneLine(name)}, row ${at + index},`;
        throw new FileRefused(`${place} names a value that is not there`);
      }
      return value === null ? null : cell(value as never);
    });
    if (cells.some((cell) => cell !== null && cell !== '')) rows.push({ at: at + index, cells });
  }
  return rows;
}

/** Strict where the default would put replacement characters or drop a leading mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const parsers = {
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
