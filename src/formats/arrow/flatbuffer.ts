/**
 * A part of a FlatBuffers message: writes itself at the end of what is there, and tells where it
 * begins. Parents come first and point ahead to their children.
 */
export type FlatbufferNode = (out: FlatbufferWriter) => number;

/** What stands in a table itself, by how many bytes it takes. No number here is below zero. */
export interface Scalar {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly value: number;
}

/** The bytes of a message, filled up to a multiple of 8. */
export function encodeMessage(root: FlatbufferNode): Uint8Array {
  const out = new FlatbufferWriter();
  const pointer = out.put(4, 0);
  out.setOffset(pointer, root(out));
  out.align(8);
  return Uint8Array.from(out.bytes);
}

/** A table: its fields by their number, undefined where one is left at its default. */
export function tableNode(
  fields: readonly (Scalar | FlatbufferNode | undefined)[],
): FlatbufferNode {
  return (out) => {
    let size = 4;
    const places = fields.map((field) => {
      if (field === undefined) return 0;
      const bytes = typeof field === 'function' ? 4 : field.bytes;
      const place = Math.ceil(size / bytes) * bytes;
      size = place + bytes;
      return place;
    });
    const directory = [4 + 2 * fields.length, size, ...places];
    out.align(8, 2 * directory.length);
    for (const number of directory) out.put(2, number);
    const start = out.put(4, 2 * directory.length);
    for (const [index, field] of fields.entries()) {
      if (field === undefined) continue;
      out.padTo(start + (places[index] ?? 0));
      if (typeof field === 'function') out.put(4, 0);
      else out.put(field.bytes, field.value);
    }
    for (const [at, field] of fields.entries()) {
      if (typeof field === 'function') out.setOffset(start + (places[at] ?? 0), field(out));
    }
    return start;
  };
}

export function stringNode(value: string): FlatbufferNode {
  return (out) => {
    const bytes = new TextEncoder().encode(value);
    out.align(4);
    const start = out.put(4, bytes.length);
    for (const byte of bytes) out.bytes.push(byte);
    // Readers check for it, though the length says it all.
    out.put(1, 0);
    return start;
  };
}

/** A list of tables. */
export function vectorNode(parts: readonly FlatbufferNode[]): FlatbufferNode {
  return (out) => {
    out.align(4);
    const start = out.put(4, parts.length);
    const pointers = parts.map(() => out.put(4, 0));
    for (const [index, part] of parts.entries()) out.setOffset(pointers[index] ?? 0, part(out));
    return start;
  };
}

/** A list of structs that hold two 64-bit numbers each. */
export function structPairsNode(values: readonly (readonly [number, number])[]): FlatbufferNode {
  return (out) => {
    out.align(8, 4);
    const start = out.put(4, values.length);
    for (const value of values.flat()) out.put(8, value);
    return start;
  };
}

class FlatbufferWriter {
  readonly bytes: number[] = [];

  /** Adds zeros until what comes `ahead` bytes later stands at a multiple of `size`. */
  align(size: number, ahead = 0): void {
    while ((this.bytes.length + ahead) % size !== 0) this.bytes.push(0);
  }

  /** Adds zeros up to a place. */
  padTo(place: number): void {
    while (this.bytes.length < place) this.bytes.push(0);
  }

  /** Adds a number, little end first, and tells where it stands. */
  put(size: Scalar['bytes'], value: number): number {
    const place = this.bytes.length;
    let rest = value;
    for (let left = size; left > 0; left--) {
      this.bytes.push(rest % 256);
      rest = Math.floor(rest / 256);
    }
    return place;
  }

  /** Sets a pointer, which is the distance from where it stands. */
  setOffset(pointer: number, to: number): void {
    let rest = to - pointer;
    for (let at = pointer; at < pointer + 4; at++) {
      this.bytes[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
}
