/** Whether a stream contains these bytes, which may be split over chunks. */
export async function containsBytes(
  chunks: AsyncIterable<Uint8Array>,
  wanted: Buffer,
): Promise<boolean> {
  let tail = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (bytes.includes(wanted)) return true;
    if (Buffer.concat([tail, bytes.subarray(0, wanted.length)]).includes(wanted)) return true;
    tail = Buffer.concat([tail, bytes.subarray(-wanted.length)]).subarray(-wanted.length);
  }
  return false;
}
