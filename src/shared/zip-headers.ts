export const LOCAL_FILE_HEADER = 0x04034b50;
export const CENTRAL_FILE_HEADER = 0x02014b50;
export const STORED = 0;
export const DEFLATED = 8;
/** Names are UTF-8. */
export const UTF8_NAMES = 0x0800;

const VERSION = 20;
/** 1 January 1980, the earliest date: the same content always gives the same bytes. */
const FIRST_DATE = 0x0021;

/** The content of a file in a ZIP archive, as in both of its headers. */
export interface ZipContent {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
}

export function buildLocalHeader(name: string, content: ZipContent) {
  const bytes = encodeName(name);
  return Uint8Array.of(...uint32(LOCAL_FILE_HEADER), ...buildFields(bytes, content), ...bytes);
}

export function buildCentralHeader(name: string, content: ZipContent, offset: number) {
  const bytes = encodeName(name);
  return Uint8Array.of(
    ...uint32(CENTRAL_FILE_HEADER),
    ...uint16(VERSION),
    ...buildFields(bytes, content),
    // No comment, the first disk, no attributes.
    ...uint16(0, 0, 0),
    ...uint32(0, offset),
    ...bytes,
  );
}

export function buildEndOfDirectory(count: number, size: number, offset: number) {
  const counts = uint16(0, 0, count, count);
  return Uint8Array.of(...uint32(0x06054b50), ...counts, ...uint32(size, offset), ...uint16(0));
}

function buildFields(name: Uint8Array, { flags, method, crc, compressedSize, size }: ZipContent) {
  return [
    ...uint16(VERSION, flags, method, 0, FIRST_DATE),
    ...uint32(crc, compressedSize, size),
    ...uint16(name.length, 0),
  ];
}

const encodeName = (name: string) => new TextEncoder().encode(name);
const uint16 = (...values: number[]) => new Uint8Array(Uint16Array.from(values).buffer);
export const uint32 = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
