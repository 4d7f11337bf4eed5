import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { tableFromIPC } from '@uwdata/flechette';
import { parquetMetadata, parquetRead, parquetSchema } from 'hyparquet';
import type { ResponseFormatName } from '../../src/catalogue/model/response-format.ts';
import type { FileCell } from '../../src/formats/file-contents.ts';
import { readXlsx } from '../../src/formats/xlsx/read-xlsx.ts';

export type TableName = Exclude<ResponseFormatName, 'json' | 'ndjson'>;

/** A table as a client sees it; days are text, and in CSV all cells are. */
export interface Decoded {
  readonly names: readonly string[];
  readonly rows: readonly (readonly FileCell[])[];
}

/** How each table is read, by something that did not write it. */
export const decoders: Readonly<Record<TableName, (bytes: Uint8Array) => Promise<Decoded>>> = {
  csv: async (bytes) => {
    const [names = [], ...rows] = csvRows(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { names: names.map(String), rows };
  },
  arrow: async (bytes) => {
    const table = tableFromIPC(bytes);
    const columns = table.schema.fields.map(({ type }, index) => {
      const values = table.numRows === 0 ? [] : [...table.getChildAt(index)];
      return values.map((value) => (type.typeId === DATE ? dayOf(value) : value));
    });
    const names = table.schema.fields.map(({ name }) => name);
    return { names, rows: transposed(columns, table.numRows) };
  },
  parquet: async (bytes) => {
    const file = new Uint8Array(bytes).buffer;
    const metadata = parquetMetadata(file);
    const compressors = { ZSTD: (page: Uint8Array) => new Uint8Array(zstdDecompressSync(page)) };
    let rows: unknown[][] = [];
    const onComplete = (read: unknown[][]) => {
      rows = read;
    };
    await parquetRead({ file, metadata, compressors, onComplete });
    const names = parquetSchema(metadata).children.map(({ element }) => element.name);
    return { names, rows: rows.map((row) => row.map(parquetCell)) };
  },
  xlsx: async (bytes) => {
    const path = join(tmpdir(), `tenor-represent-${process.pid}.xlsx`);
    await Bun.write(path, bytes);
    const never = () => {
      throw new Error('a workbook is never read from its start');
    };
    const { rows } = await readXlsx(
      { getPath: async () => path, readBytes: never, close() {} },
      {},
    );
    const all = (await Array.fromAsync(rows)).flat().map(({ cells }) => cells);
    await Bun.file(path).delete();
    const [names = [], ...others] = all;
    // Cells without a value at the end of a row are not in the file.
    return {
      names: names.map(String),
      rows: others.map((cells) => names.map((_, index) => cells[index] ?? null)),
    };
  },
};

const DATE = 8;

function dayOf(value: number | null): string | null {
  return value === null ? null : new Date(value).toISOString().slice(0, 10);
}

function parquetCell(value: unknown): FileCell {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'bigint') return Number(value);
  return (value ?? null) as FileCell;
}

function transposed(columns: readonly (readonly FileCell[])[], length: number): FileCell[][] {
  return Array.from({ length }, (_, row) => columns.map((column) => column[row] ?? null));
}

/** RFC 4180, to the letter: CRLF behind each row, quotes only around whole cells. */
function csvRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: (string | null)[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined)
      throw new Error(`not CSV, from ${JSON.stringify(text.slice(at, at + 40))}`);
    row.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : (plain ?? null)));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
