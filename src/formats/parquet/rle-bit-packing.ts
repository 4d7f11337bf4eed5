import { ByteWriter } from 'hyparquet-writer';

/** One value repeated, as a run of the RLE/bit-packing hybrid encoding. */
export function encodeRun(value: 0 | 1, count: number): Uint8Array {
  const out = new ByteWriter();
  out.appendVarInt(count << 1);
  // A value of bit width 0 has no bytes.
  if (value === 1) out.appendUint8(1);
  return out.getBytes();
}

/** Values of one bit width as a bit-packed run of the same encoding. */
export function encodeBitPacked(values: Uint8Array | Uint32Array, bitWidth: number): Uint8Array {
  const groups = Math.ceil(values.length / 8);
  const bytes = new Uint8Array(groups * bitWidth);
  let bits = 0;
  let pendingBits = 0;
  let byteIndex = 0;
  for (let index = 0; index < values.length; index++) {
    bits |= (values[index] ?? 0) << pendingBits;
    for (pendingBits += bitWidth; pendingBits >= 8; pendingBits -= 8) {
      bytes[byteIndex++] = bits;
      bits >>>= 8;
    }
  }
  if (pendingBits > 0) bytes[byteIndex] = bits;
  const out = new ByteWriter(bytes.length + 5);
  out.appendVarInt((groups << 1) | 1);
  out.appendBytes(bytes);
  return out.getBytes();
}
