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

/** Decoders that share no code with the encoders. */
export const DECODERS: Readonly<Record<TableName, (bytes: Uint8Array) => Promise<Decoded>>> = {
  csv: async (bytes) => {
    const [names = [], ...rows] = parseCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { names: names.map(String), rows };
  },
  arrow: async (bytes) => {
    const table = tableFromIPC(bytes);
    const columns = table.schema.fields.map(({ type }, index) => {
      const values = table.numRows === 0 ? [] : [...table.getChildAt(index)];
      return values.map((value) => (type.typeId === ARROW_DATE_TYPE ? formatDay(value) : value));
    });
    const names = table.schema.fields.map(({ name }) => name);
    return { names, rows: transpose(columns, table.numRows) };
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
    return { names, rows: rows.map((row) => row.map(toCell)) };
  },
  xlsx: async (bytes) => {
    const path = join(tmpdir(), `tenor-decode-${process.pid}.xlsx`);
    await Bun.write(path, bytes);
    const readBytes = () => {
      throw new Error('a workbook is not read from its start');
    };
    const { rows } = await readXlsx({ getPath: async () => path, readBytes, close() {} });
    const all = (await Array.fromAsync(rows)).flat().map(({ cells }) => cells);
    await Bun.file(path).delete();
    const [names = [], ...body] = all;
    // Empty cells at the end of a row are not in the file.
    return {
      names: names.map(String),
      rows: body.map((cells) => names.map((_, index) => cells[index] ?? null)),
    };
  },
};

const ARROW_DATE_TYPE = 8;

function formatDay(value: number | null): string | null {
  return value === null ? null : new Date(value).toISOString().slice(0, 10);
}

function toCell(value: unknown): FileCell {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'bigint') return Number(value);
  return (value ?? null) as FileCell;
}

function transpose(columns: readonly (readonly FileCell[])[], length: number): FileCell[][] {
  return Array.from({ length }, (_, row) => columns.map((column) => column[row] ?? null));
}

/** Parses strict RFC 4180: CRLF after each row, quotes only around whole cells. */
function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: (string | null)[] = [];
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined)
      throw new Error(`not CSV, from ${JSON.stringify(text.slice(start, start + 40))}`);
    row.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : (plain ?? null)));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
