import { ByteWriter } from 'hyparquet-writer';

/** One small number many times over, as a single run of Parquet's hybrid encoding. */
export function encodeRun(number: 0 | 1, count: number): Uint8Array {
  const out = new ByteWriter();
  out.appendVarInt(count << 1);
  // A number that takes no bits takes no bytes either.
  if (number === 1) out.appendUint8(1);
  return out.getBytes();
}

/** Numbers of so many bits each, packed one behind the other, in the same encoding. */
export function encodeBitPacked(numbers: Uint8Array | Uint32Array, width: number): Uint8Array {
  const groups = Math.ceil(numbers.length / 8);
  const bytes = new Uint8Array(groups * width);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < numbers.length; index++) {
    bits |= (numbers[index] ?? 0) << held;
    for (held += width; held >= 8; held -= 8) {
      bytes[at++] = bits;
      bits >>>= 8;
    }
  }
  if (held > 0) bytes[at] = bits;
  const out = new ByteWriter(bytes.length + 5);
  out.appendVarInt((groups << 1) | 1);
  out.appendBytes(bytes);
  return out.getBytes();
}
