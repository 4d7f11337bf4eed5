const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'] as const;
const WINDOWS = ['windows-1250', 'windows-1251', 'windows-1252', 'windows-1254'] as const;
export const EAST_ASIAN = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const;
/** The values of `--encoding`. Latin-1 is read as Windows-1252, which has it as a part. */
export const TEXT_ENCODINGS = [...UNICODE, 'latin1', ...WINDOWS, ...EAST_ASIAN] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** An encoding that the bytes suggest, and some text to judge it by. */
export interface DetectedEncoding {
  readonly encoding: TextEncoding;
  /** The first cell or so with a letter beyond ASCII; absent where it is not a guess. */
  readonly sample?: string;
}

/** How the text of a file is decoded. */
export interface TextOptions {
  readonly encoding?: TextEncoding | undefined;
  /** Called where no encoding is given and it is not UTF-8; again if the file is read again. */
  readonly onDetected?: ((detected: DetectedEncoding) => void) | undefined;
}

/** By the byte order mark, or by the NULs of ASCII letters in UTF-16 without one. */
export function detectUnicode([a, b, c, d]: Uint8Array): TextEncoding {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c !== 0 && (d ?? 0) === 0) return 'utf-16le';
  if (a === 0 && b && (c ?? 0) === 0 && d !== 0) return 'utf-16be';
  return 'utf-8';
}

export function getBomLength([a, b, c]: Uint8Array): number {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0;
}

/**
 * The index of the first byte that hardly occurs in Windows-1252; -1 where there is none. Control
 * characters are no text, four different characters beyond ASCII in a row are another alphabet, and
 * what can be read as UTF-8 is most likely that.
 */
export function findUnlikelyByte(block: Uint8Array): number {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length).toString('latin1');
  return bytes.search(UNLIKELY_IN_WINDOWS_1252);
}

/** The length of the longest such sequence. */
export const MAX_UNLIKELY_BYTES = 4;

const UNLIKELY_IN_WINDOWS_1252 =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: These are what is looked for.
  /[\x01-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]|(?!(.)\1{3})[\x80-\xff]{4}|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/;

/** The text around the first letter beyond ASCII, to the ends of its cell. */
export function findSample(text: string): string {
  const [cell = ''] = /[^\n\r,;|\t"]{0,20}[^\p{ASCII}][^\n\r,;|\t"]{0,20}/u.exec(text) ?? [];
  return cell.trim();
}
