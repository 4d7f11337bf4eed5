import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, Column, TableWriter } from '../format.ts';

/** Rows to a row group: held in memory until they are written, and read together. */
const GROUP_ROWS = 50_000;

/**
 * Writes Parquet, a row group at a time: numbers as DOUBLE, whole numbers as INT64, days as DATE,
 * text as STRING. Every column may hold nulls; a table without rows still has its columns.
 */
export const writeParquet: TableWriter = async function* ({ columns, rows }) {
  const out = new ByteWriter();
  const writer = new ParquetWriter({
    writer: out,
    schema: [{ name: 'schema', num_children: columns.length }, ...columns.map(elementOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => Bun.zstdCompressSync(bytes) },
  });
  let group: (readonly Cell[])[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      group.push(row);
      if (group.length < GROUP_ROWS) continue;
      writeGroup(writer, columns, group);
      group = [];
      yield written(out);
    }
  }
  writeGroup(writer, columns, group);
  writer.finish();
  yield written(out);
};

function writeGroup(
  writer: ParquetWriter,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): void {
  const columnData = columns.map(({ name, type }, index) => {
    const store = storing[type]();
    const data = rows.map((row) => {
      const cell = row[index] ?? null;
      return cell === null ? null : store(cell);
    });
    // Its dictionaries take -0 for 0.
    return type === 'number' ? { name, data, encoding: 'PLAIN' as const } : { name, data };
  });
  writer.write({ columnData, rowGroupSize: GROUP_ROWS });
}

/** What was written since the last call, which leaves the buffer to what comes next. */
function written(out: ByteWriter): Uint8Array {
  const bytes = out.getBytes().slice();
  out.index = 0;
  return bytes;
}

const elements: Readonly<Record<Column['type'], Omit<SchemaElement, 'name'>>> = {
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};

const elementOf = ({ name, type }: Column): SchemaElement => ({
  ...elements[type],
  name,
  repetition_type: 'OPTIONAL',
});

const DAY_MS = 86_400_000;

/** How the cells of one column of one row group are stored. */
const storing: Readonly<Record<Column['type'], () => (cell: string | number) => unknown>> = {
  number: () => (cell) => cell,
  integer: () => (cell) => BigInt(cell),
  day: () => (cell) => Date.parse(String(cell)) / DAY_MS,
  text: storingText,
};

/**
 * Text as its bytes: given text, hyparquet-writer orders its statistics by UTF-16, and readers that
 * skip row groups by them would miss rows. Equal texts share their bytes.
 */
function storingText(): (cell: string | number) => Uint8Array {
  const encoder = new TextEncoder();
  const known = new Map<string, Uint8Array>();
  return (cell) => {
    const text = String(cell);
    const bytes = known.get(text) ?? encoder.encode(text);
    known.set(text, bytes);
    return bytes;
  };
}
