const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'] as const;
const WINDOWS = ['windows-1250', 'windows-1251', 'windows-1252', 'windows-1254'] as const;
export const EAST_ASIAN = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const;
/** The values of `--encoding`. Latin-1 is read as Windows-1252, which contains it. */
export const TEXT_ENCODINGS = [...UNICODE, 'latin1', ...WINDOWS, ...EAST_ASIAN] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** The encoding that the bytes suggest, and a text sample to judge it by. */
export interface DetectedEncoding {
  readonly encoding: TextEncoding;
  /** Roughly the first cell with a letter beyond ASCII; absent if the encoding is certain. */
  readonly sample?: string;
}

/** How the text of a file is decoded. */
export interface TextOptions {
  readonly encoding?: TextEncoding | undefined;
  /** Called if the encoding is detected and not UTF-8; again if the file is read again. */
  readonly onDetected?: ((detected: DetectedEncoding) => void) | undefined;
}

/** By the byte order mark, or by the zero bytes of ASCII letters in UTF-16 without one. */
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

/** The text around the first letter beyond ASCII, to the ends of its cell. */
export function findSample(text: string): string {
  const [cell = ''] = /[^\n\r,;|\t"]{0,20}[^\p{ASCII}][^\n\r,;|\t"]{0,20}/u.exec(text) ?? [];
  return cell.trim();
}
