import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { memoize } from '../../shared/memoize.ts';
import { system } from '../../shared/system.ts';
import { encodeSchemaMessage } from '../arrow/write-arrow.ts';
import { rebatch, toDayNumber } from '../column-cells.ts';
import type { FileCell, FormatWriter, OutputColumn } from '../file-contents.ts';

/** A row group is in memory until it is written, and a server may write several files at once. */
const ROW_GROUP_ROWS = 15_000;
const PAGE_BYTES = 1024 ** 2;
const PAR1 = 0x31524150;

/** DOUBLE, INT64, DATE, BOOLEAN and STRING, all optional; a table without rows still has its columns. */
export const writeParquet: FormatWriter = async function* (table) {
  const { columns, rows, tellsUnits, metadata } = table;
  const out = new ByteWriter();
  const root: SchemaElement = { name: 'schema', num_children: columns.length };
  const elements = columns.map(toSchemaElement);
  const groups: RowGroup[] = [];
  out.appendUint32(PAR1);
  for await (const group of rebatch(rows, ROW_GROUP_ROWS)) {
    if (groups.length > 0) yield takeWrittenBytes(out);
    const start = out.offset;
    const chunks: ColumnChunk[] = [];
    // The library's class writes all columns without a pause, in which nothing else is served.
    for (const [index, element] of elements.entries()) {
      const { toValue } = TYPES[columns[index]?.type ?? 'text'];
      const cells = group.map((row) => row[index] ?? null);
      chunks.push(writeCells(out, [root, element], cells, toValue));
      await system.nextTurn();
    }
    const size = BigInt(out.offset - start);
    groups.push({ columns: chunks, total_byte_size: size, num_rows: BigInt(group.length) });
  }
  const lines = metadata?.().map(([key, value]) => ({ key, value: String(value) })) ?? [];
  const pairs = [...(tellsUnits ? [encodeArrowSchema(columns)] : []), ...lines];
  writeMetadata(out, {
    version: 2,
    created_by: 'tenor',
    schema: [root, ...elements],
    num_rows: groups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    row_groups: groups,
    metadata_length: 0,
    ...(pairs.length > 0 && { key_value_metadata: pairs }),
  });
  out.appendUint32(PAR1);
  yield takeWrittenBytes(out);
};

function writeCells(
  writer: ByteWriter,
  schemaPath: readonly [SchemaElement, SchemaElement],
  cells: readonly FileCell[],
  toValue: (cell: string | number) => unknown,
): ColumnChunk {
  const [, element] = schemaPath;
  const column = {
    columnName: element.name,
    element,
    schemaPath: [...schemaPath],
    codec: 'ZSTD' as const,
    compressors: { ZSTD: compress },
    stats: true,
    pageSize: PAGE_BYTES,
    columnIndex: false,
    offsetIndex: false,
    // A dictionary would take -0 for 0.
    ...(element.type === 'DOUBLE' && { encoding: 'PLAIN' as const }),
  };
  // Texts repeat, and the library compares the same bytes at once.
  const convert = element.type === 'BYTE_ARRAY' ? memoize(ROW_GROUP_ROWS, toValue) : toValue;
  const pageData = {
    values: cells.map((cell) => (cell === null ? null : convert(cell))),
    definitionLevels: cells.map((cell) => (cell === null ? 0 : 1)),
    repetitionLevels: [],
    maxDefinitionLevel: 1,
  };
  return writeColumn({ writer, column, pageData }).chunk;
}

// On columns of quotes it is faster than the default, 3, and smaller.
const ZSTD_LEVEL = 2;

function compress(bytes: Uint8Array): Uint8Array {
  return Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level: ZSTD_LEVEL });
}

/** Parquet has no place for the unit of a column: readers of Arrow take it from here. */
function encodeArrowSchema(columns: readonly OutputColumn[]) {
  const schema = Buffer.from(encodeSchemaMessage(columns, true));
  return { key: 'ARROW:schema', value: schema.toString('base64') };
}

function takeWrittenBytes(out: ByteWriter): Uint8Array {
  const bytes = out.getBytes().slice();
  out.index = 0;
  return bytes;
}

interface ColumnType {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly toValue: (cell: string | number) => unknown;
}

const TYPES: Readonly<Record<OutputColumn['type'], ColumnType>> = {
  number: { element: { type: 'DOUBLE' }, toValue: (cell) => cell },
  integer: { element: { type: 'INT64' }, toValue: BigInt },
  boolean: { element: { type: 'BOOLEAN' }, toValue: (cell) => cell === 'true' },
  day: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    toValue: (cell) => toDayNumber(String(cell)),
  },
  text: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    // Readers compare bounds by bytes; strings of JavaScript have another order.
    toValue: (cell) => Buffer.from(String(cell)),
  },
};

const toSchemaElement = ({ name, type }: OutputColumn): SchemaElement => ({
  ...TYPES[type].element,
  name,
  repetition_type: 'OPTIONAL',
});
