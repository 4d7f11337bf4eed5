const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** 1 January 1980: the same content gives the same bytes. */
const FIRST_DATE = 0x21;

/** A ZIP archive of uncompressed texts, by the names of their files. */
export function buildZip(texts: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of texts) {
    const [nameBytes, content] = [encoder.encode(name), encoder.encode(text)];
    const common = [
      ...[uint16(VERSION), uint16(UTF8_NAMES), uint16(0), uint16(0), uint16(FIRST_DATE)],
      ...[uint32(computeCrc32(content)), uint32(content.length), uint32(content.length)],
      ...[uint16(nameBytes.length), uint16(0)],
    ];
    const file = concatenate([uint32(LOCAL_HEADER), ...common, nameBytes, content]);
    const attributes = [uint16(0), uint16(0), uint16(0), uint32(0), uint32(offset)];
    const head = [uint32(DIRECTORY_HEADER), uint16(VERSION), ...common];
    directory.push(concatenate([...head, ...attributes, nameBytes]));
    files.push(file);
    offset += file.length;
  }
  const listing = concatenate(directory);
  const counts = [uint16(0), uint16(0), uint16(texts.size), uint16(texts.size)];
  const sizes = [uint32(listing.length), uint32(offset), uint16(0)];
  return concatenate([...files, listing, uint32(DIRECTORY_END), ...counts, ...sizes]);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8);
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
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
