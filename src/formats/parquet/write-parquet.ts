import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { system } from '../../shared/system.ts';
import { encodeSchemaMessage } from '../arrow/write-arrow.ts';
import { extractColumn, rebatch } from '../column-cells.ts';
import type { OutputColumn, TableWriter } from '../file-contents.ts';
import { PHYSICAL_TYPES, writeColumnChunk } from './column-chunk.ts';

/** A row group is in memory until it is written, and a server may write several files at once. */
const ROW_GROUP_ROWS = 15_000;
const PAR1 = 0x31524150;

/** DOUBLE, INT64, DATE, BOOLEAN and STRING, all optional; a table without rows still has its columns. */
export const writeParquet: TableWriter = async function* ({ columns, rows, tellsUnits }) {
  const out = new ByteWriter();
  const groups: RowGroup[] = [];
  out.appendUint32(PAR1);
  for await (const group of rebatch(rows, ROW_GROUP_ROWS)) {
    if (groups.length > 0) yield takeWrittenBytes(out);
    const chunks: ColumnChunk[] = [];
    for (const [index, column] of columns.entries()) {
      chunks.push(writeColumnChunk(out, column, extractColumn(group, index)));
      await system.nextTurn();
    }
    const sizes = chunks.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    const total = sizes.reduce((sum, size) => sum + size, 0n);
    groups.push({ columns: chunks, total_byte_size: total, num_rows: BigInt(group.length) });
  }
  writeMetadata(out, {
    version: 2,
    created_by: 'tenor',
    schema: [{ name: 'schema', num_children: columns.length }, ...columns.map(toSchemaElement)],
    num_rows: groups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    row_groups: groups,
    metadata_length: 0,
    ...(tellsUnits && { key_value_metadata: [encodeArrowSchema(columns)] }),
  });
  out.appendUint32(PAR1);
  yield takeWrittenBytes(out);
};

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

const LOGICAL_TYPES: Readonly<Record<OutputColumn['type'], Omit<SchemaElement, 'name'>>> = {
  number: {},
  integer: {},
  boolean: {},
  day: { converted_type: 'DATE', logical_type: { type: 'DATE' } },
  text: { converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};

const toSchemaElement = ({ name, type }: OutputColumn): SchemaElement => ({
  ...LOGICAL_TYPES[type],
  type: PHYSICAL_TYPES[type],
  name,
  repetition_type: 'OPTIONAL',
});
