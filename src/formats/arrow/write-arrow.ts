import { system } from '../../shared/system.ts';
import {
  type ColumnCells,
  extractColumn,
  packBits,
  rebatch,
  toBytes,
  toDayNumber,
  toFloat64Array,
} from '../column-cells.ts';
import type { FileCell, FormatWriter, MetadataLine, OutputColumn } from '../file-contents.ts';
import {
  encodeMessage,
  type FlatbufferNode,
  type Scalar,
  stringNode,
  structPairsNode,
  tableNode,
  vectorNode,
} from './flatbuffer.ts';

const BATCH_ROWS = 10_000;

/** Columns are Float64, Int64, Date32, Bool or Utf8, all nullable; a table without rows keeps its columns. */
export const writeArrow: FormatWriter = async function* ({ columns, rows, tellsUnits, metadata }) {
  yield encodeSchemaMessage(columns, tellsUnits, metadata?.());
  for await (const batch of rebatch(rows, BATCH_ROWS)) {
    const vectors: ArrowVector[] = [];
    for (const [index, { type }] of columns.entries()) {
      vectors.push(createVector(type, extractColumn(batch, index)));
      await system.nextTurn();
    }
    yield encodeBatchMessage(batch.length, vectors);
  }
  yield END_OF_STREAM;
};

/** A column of a record batch: its validity bitmap, then the buffers of its values. */
interface ArrowVector {
  readonly nulls: number;
  readonly buffers: readonly Uint8Array[];
}

function createVector(type: OutputColumn['type'], { cells, nulls }: ColumnCells): ArrowVector {
  return {
    nulls,
    buffers: [
      nulls === 0 ? EMPTY_BYTES : packBits(cells, (cell) => cell !== null),
      ...BUFFER_BUILDERS[type](cells),
    ],
  };
}

const EMPTY_BYTES = new Uint8Array();

const BUFFER_BUILDERS: Readonly<
  Record<OutputColumn['type'], (cells: readonly FileCell[]) => Uint8Array[]>
> = {
  number: (cells) => [toBytes(toFloat64Array(cells))],
  integer: (cells) => [toBytes(BigInt64Array.from(cells, (cell) => BigInt(cell ?? 0)))],
  day: (cells) => [
    toBytes(Int32Array.from(cells, (cell) => (cell === null ? 0 : toDayNumber(String(cell))))),
  ],
  boolean: (cells) => [packBits(cells, (cell) => cell === 'true')],
  text(cells) {
    const texts = cells.map((cell) => (cell === null ? '' : String(cell)));
    const joined = Buffer.from(texts.join(''));
    const characters = texts.reduce((count, { length }) => count + length, 0);
    // If there are as many bytes as characters, the text is ASCII and offsets are the lengths of the texts.
    const isAscii = joined.length === characters;
    const values = isAscii ? texts : texts.map((text) => Buffer.from(text));
    const offsets = new Int32Array(values.length + 1);
    for (const [index, { length }] of values.entries())
      offsets[index + 1] = (offsets[index] ?? 0) + length;
    return [toBytes(offsets), isAscii ? joined : Buffer.concat(values as Buffer[])];
  },
};

// Numbers from Arrow's Message.fbs and Schema.fbs.
const VERSION_5 = 4;
const SCHEMA = 1;
const RECORD_BATCH = 3;

const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The first message of a stream: its columns, all of them nullable. */
export function encodeSchemaMessage(
  columns: readonly OutputColumn[],
  tellsUnits = false,
  metadata: readonly MetadataLine[] = [],
): Uint8Array {
  const fields = columns.map(({ name, type, unit }) => {
    const { typeId, fields: typeFields } = ARROW_TYPES[type];
    // Some readers require the list of children even if it is empty.
    return tableNode([
      stringNode(name),
      uint8(1),
      uint8(typeId),
      tableNode(typeFields),
      undefined,
      vectorNode([]),
      ...(tellsUnits && unit ? [vectorNode([tableNode(['unit', unit].map(stringNode))])] : []),
    ]);
  });
  const lines = metadata.map((line) => tableNode(line.map((text) => stringNode(String(text)))));
  const custom = lines.length > 0 ? [vectorNode(lines)] : [];
  return frameMessage(SCHEMA, tableNode([undefined, vectorNode(fields), ...custom]), 0);
}

/** A record batch: its message, followed by its body. */
function encodeBatchMessage(length: number, vectors: readonly ArrowVector[]): Uint8Array {
  const nodes = vectors.map(({ nulls }): [number, number] => [length, nulls]);
  let bodyLength = 0;
  const buffers = vectors.flatMap((vector) => vector.buffers);
  const locations = buffers.map((buffer): [offset: number, length: number] => {
    const offset = bodyLength;
    bodyLength += Math.ceil(buffer.length / 8) * 8;
    return [offset, buffer.length];
  });
  const message = frameMessage(
    RECORD_BATCH,
    tableNode([int64(length), structPairsNode(nodes), structPairsNode(locations)]),
    bodyLength,
  );
  const padded = buffers.flatMap((buffer) => [buffer, new Uint8Array(-buffer.length & 7)]);
  return Buffer.concat([message, ...padded]);
}

/** An encapsulated message: the continuation marker, the length of the metadata, the metadata. */
function frameMessage(kind: number, header: FlatbufferNode, bodyLength: number): Uint8Array {
  const metadata = encodeMessage(
    tableNode([int16(VERSION_5), uint8(kind), header, int64(bodyLength)]),
  );
  return Buffer.concat([toBytes(Uint32Array.of(0xffffffff, metadata.length)), metadata]);
}

const uint8 = (value: number): Scalar => ({ bytes: 1, value });
const int16 = (value: number): Scalar => ({ bytes: 2, value });
const int32 = (value: number): Scalar => ({ bytes: 4, value });
const int64 = (value: number): Scalar => ({ bytes: 8, value });

/** Members of the union `Type`, with the fields of each. */
const ARROW_TYPES: Readonly<
  Record<OutputColumn['type'], { typeId: number; fields: readonly Scalar[] }>
> = {
  // Double precision.
  number: { typeId: 3, fields: [int16(2)] },
  // 64 bits, signed.
  integer: { typeId: 2, fields: [int32(64), uint8(1)] },
  text: { typeId: 5, fields: [] },
  boolean: { typeId: 6, fields: [] },
  // Unit DAY, which is not the default.
  day: { typeId: 8, fields: [int16(0)] },
};
