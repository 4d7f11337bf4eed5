import type { Column } from '../format.ts';
import { list, message, type Part, pairs, type Scalar, table, text } from './flatbuffer.ts';
import type { Vector } from './vectors.ts';

// The numbers are those of Arrow's Message.fbs and Schema.fbs.
const VERSION_5 = 4;
const SCHEMA = 1;
const RECORD_BATCH = 3;

/** What a stream ends with. */
export const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The message that a stream begins with: its columns, all of which may hold nulls. */
export function schemaMessage(columns: readonly Column[]): Uint8Array {
  const fields = columns.map(({ name, type }) => {
    const { number, of } = types[type];
    // Some readers ask for the list of children even where there can be none.
    return table([text(name), byte(1), byte(number), table(of), undefined, list([])]);
  });
  return framed(SCHEMA, table([undefined, list(fields)]), 0);
}

/** The message of some rows, its body behind it. */
export function batchMessage(length: number, vectors: readonly Vector[]): Uint8Array {
  const nodes = vectors.map(({ nulls }): [number, number] => [length, nulls]);
  let end = 0;
  const buffers = vectors.flatMap((vector) => vector.buffers);
  const places = buffers.map((buffer): [number, number] => {
    const place = end;
    end += padded(buffer.length);
    return [place, buffer.length];
  });
  const head = framed(RECORD_BATCH, table([long(length), pairs(nodes), pairs(places)]), end);
  const whole = new Uint8Array(head.length + end);
  whole.set(head);
  for (const [at, buffer] of buffers.entries()) {
    whole.set(buffer, head.length + (places[at]?.[0] ?? 0));
  }
  return whole;
}

/** A message with what announces it: a mark, and its length. */
function framed(kind: number, header: Part, bodyLength: number): Uint8Array {
  const bytes = message(table([short(VERSION_5), byte(kind), header, long(bodyLength)]));
  const whole = new Uint8Array(8 + bytes.length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, 0xffffffff, true);
  view.setUint32(4, bytes.length, true);
  whole.set(bytes, 8);
  return whole;
}

const padded = (length: number) => Math.ceil(length / 8) * 8;

const byte = (value: number): Scalar => ({ bytes: 1, value });
const short = (value: number): Scalar => ({ bytes: 2, value });
const int = (value: number): Scalar => ({ bytes: 4, value });
const long = (value: number): Scalar => ({ bytes: 8, value });

/** Arrow's types by their numbers in the union, with the fields of each. */
const types: Readonly<Record<Column['type'], { number: number; of: readonly Scalar[] }>> = {
  // Double precision.
  number: { number: 3, of: [short(2)] },
  // 64 bits, signed.
  integer: { number: 2, of: [int(64), byte(1)] },
  text: { number: 5, of: [] },
  // In days, which is not the default.
  day: { number: 8, of: [short(0)] },
};
