import type { OutputColumn } from '../file-contents.ts';
import {
  encodeMessage,
  type FlatbufferNode,
  type Scalar,
  stringNode,
  structPairsNode,
  tableNode,
  vectorNode,
} from './flatbuffer.ts';
import type { Vector } from './vectors.ts';

// The numbers are those of Arrow's Message.fbs and Schema.fbs.
const VERSION_5 = 4;
const SCHEMA = 1;
const RECORD_BATCH = 3;

/** What a stream ends with. */
export const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The message that a stream begins with: its columns, all of which may hold nulls. */
export function encodeSchemaMessage(columns: readonly OutputColumn[]): Uint8Array {
  const fields = columns.map(({ name, type }) => {
    const { number, of } = ARROW_TYPES[type];
    // Some readers ask for the list of children even where there can be none.
    return tableNode([
      stringNode(name),
      uint8(1),
      uint8(number),
      tableNode(of),
      undefined,
      vectorNode([]),
    ]);
  });
  return frameMessage(SCHEMA, tableNode([undefined, vectorNode(fields)]), 0);
}

/** The message of some rows, its body behind it. */
export function encodeBatchMessage(length: number, vectors: readonly Vector[]): Uint8Array {
  const nodes = vectors.map(({ nulls }): [number, number] => [length, nulls]);
  let end = 0;
  const buffers = vectors.flatMap((vector) => vector.buffers);
  const places = buffers.map((buffer): [number, number] => {
    const place = end;
    end += padTo8(buffer.length);
    return [place, buffer.length];
  });
  const head = frameMessage(
    RECORD_BATCH,
    tableNode([int64(length), structPairsNode(nodes), structPairsNode(places)]),
    end,
  );
  const whole = new Uint8Array(head.length + end);
  whole.set(head);
  for (const [index, buffer] of buffers.entries()) {
    whole.set(buffer, head.length + (places[index]?.[0] ?? 0));
  }
  return whole;
}

/** A message with what announces it: a mark, and its length. */
function frameMessage(kind: number, header: FlatbufferNode, bodyLength: number): Uint8Array {
  const bytes = encodeMessage(
    tableNode([int16(VERSION_5), uint8(kind), header, int64(bodyLength)]),
  );
  const whole = new Uint8Array(8 + bytes.length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, 0xffffffff, true);
  view.setUint32(4, bytes.length, true);
  whole.set(bytes, 8);
  return whole;
}

const padTo8 = (length: number) => Math.ceil(length / 8) * 8;

const uint8 = (value: number): Scalar => ({ bytes: 1, value });
const int16 = (value: number): Scalar => ({ bytes: 2, value });
const int32 = (value: number): Scalar => ({ bytes: 4, value });
const int64 = (value: number): Scalar => ({ bytes: 8, value });

/** Arrow's types by their numbers in the union, with the fields of each. */
const ARROW_TYPES: Readonly<
  Record<OutputColumn['type'], { number: number; of: readonly Scalar[] }>
> = {
  // Double precision.
  number: { number: 3, of: [int16(2)] },
  // 64 bits, signed.
  integer: { number: 2, of: [int32(64), uint8(1)] },
  text: { number: 5, of: [] },
  // In days, which is not the default.
  day: { number: 8, of: [int16(0)] },
};
