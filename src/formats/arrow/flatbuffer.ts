/** Appends a table, string or vector and returns its position; parents precede children. */
export type FlatbufferNode = (out: FlatbufferWriter) => number;

/** An inline field of a table. Its value is never negative. */
export interface Scalar {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly value: number;
}

/** The bytes of a message, padded to a multiple of 8. */
export function encodeMessage(root: FlatbufferNode): Uint8Array {
  const out = new FlatbufferWriter();
  const rootOffset = out.append(4, 0);
  out.setOffset(rootOffset, root(out));
  out.align(8);
  return Uint8Array.from(out.bytes);
}

/** A table with its vtable; undefined fields have their default. */
export function tableNode(
  fields: readonly (Scalar | FlatbufferNode | undefined)[],
): FlatbufferNode {
  return (out) => {
    let size = 4;
    const fieldOffsets = fields.map((field) => {
      if (field === undefined) return 0;
      const bytes = typeof field === 'function' ? 4 : field.bytes;
      const offset = Math.ceil(size / bytes) * bytes;
      size = offset + bytes;
      return offset;
    });
    const vtable = [4 + 2 * fields.length, size, ...fieldOffsets];
    out.align(8, 2 * vtable.length);
    for (const entry of vtable) out.append(2, entry);
    const start = out.append(4, 2 * vtable.length);
    for (const [index, field] of fields.entries()) {
      if (field === undefined) continue;
      out.padTo(start + (fieldOffsets[index] ?? 0));
      if (typeof field === 'function') out.append(4, 0);
      else out.append(field.bytes, field.value);
    }
    for (const [index, field] of fields.entries())
      if (typeof field === 'function')
        out.setOffset(start + (fieldOffsets[index] ?? 0), field(out));
    return start;
  };
}

export function stringNode(value: string): FlatbufferNode {
  return (out) => {
    const bytes = new TextEncoder().encode(value);
    out.align(4);
    const start = out.append(4, bytes.length);
    for (const byte of bytes) out.bytes.push(byte);
    // Strings have a length and are null-terminated as well.
    out.append(1, 0);
    return start;
  };
}

export function vectorNode(tables: readonly FlatbufferNode[]): FlatbufferNode {
  return (out) => {
    out.align(4);
    const start = out.append(4, tables.length);
    const offsets = tables.map(() => out.append(4, 0));
    for (const [index, table] of tables.entries()) out.setOffset(offsets[index] ?? 0, table(out));
    return start;
  };
}

/** A vector of structs of two 64-bit integers. */
export function structPairsNode(structs: readonly (readonly [number, number])[]): FlatbufferNode {
  return (out) => {
    out.align(8, 4);
    const start = out.append(4, structs.length);
    for (const value of structs.flat()) out.append(8, value);
    return start;
  };
}

class FlatbufferWriter {
  readonly bytes: number[] = [];

  /** Pads until the position `ahead` bytes later is a multiple of `size`. */
  align(size: number, ahead = 0): void {
    while ((this.bytes.length + ahead) % size !== 0) this.bytes.push(0);
  }

  padTo(position: number): void {
    while (this.bytes.length < position) this.bytes.push(0);
  }

  /** Appends a little-endian integer, and returns its position. */
  append(size: Scalar['bytes'], value: number): number {
    const position = this.bytes.length;
    this.#write(position, size, value);
    return position;
  }

  /** Sets an offset, which is relative to its own position. */
  setOffset(position: number, target: number): void {
    this.#write(position, 4, target - position);
  }

  #write(position: number, size: number, value: number): void {
    let remaining = value;
    for (let index = position; index < position + size; index++) {
      this.bytes[index] = remaining % 256;
      remaining = Math.floor(remaining / 256);
    }
  }
}
