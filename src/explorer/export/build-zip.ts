import {
  buildCentralHeader,
  buildEndOfDirectory,
  buildLocalHeader,
  STORED,
  UTF8_NAMES,
} from '../../shared/zip-headers.ts';

/** A ZIP archive of uncompressed texts, by the names of their files; in parts. */
export function buildZip(texts: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer>[] {
  const files: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  for (const [name, text] of texts) {
    const bytes = new TextEncoder().encode(text);
    const { length: size } = bytes;
    const crc = computeCrc32(bytes);
    const content = { flags: UTF8_NAMES, method: STORED, crc, compressedSize: size, size };
    directory.push(buildCentralHeader(name, content, sumLengths(files)));
    files.push(buildLocalHeader(name, content), bytes);
  }
  const end = buildEndOfDirectory(texts.size, sumLengths(directory), sumLengths(files));
  return [...files, ...directory, end];
}

function sumLengths(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

const CRC_POLYNOMIAL = 0xedb88320;

function computeCrc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  }
  return ~crc;
}
