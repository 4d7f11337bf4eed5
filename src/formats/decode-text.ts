import { type FileInput, InvalidFileError } from './file-contents.ts';

/** The text in UTF-8 or UTF-16, in pieces, without a byte order mark; or `NotText` is thrown. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let encoding: TextEncodingName | undefined;
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    let block = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = block;
    if (encoding === undefined) {
      if (block.length < HEAD_BYTES) continue;
      encoding = detectEncoding(block);
      block = block.subarray(getBomLength(block));
    }
    const whole = block.length - countIncompleteBytes(block, encoding);
    held = block.subarray(whole);
    yield* decodeBlock(block.subarray(0, whole), encoding);
  }
  if (encoding === undefined)
    yield* decodeBlock(held.subarray(getBomLength(held)), detectEncoding(held));
  else yield* decodeBlock(held, encoding);
}

/** The first characters of a text, and whether they are all of it. */
export interface TextHead {
  readonly text: string;
  readonly isComplete: boolean;
}

/** The head of a file's text; it ends early where what follows is no text. */
export async function readTextHead(input: FileInput, characters: number): Promise<TextHead> {
  let text = '';
  try {
    for await (const chunk of decodeText(input.readBytes())) {
      text += chunk;
      if (text.length > characters) return { text: text.slice(0, characters), isComplete: false };
    }
  } catch (error) {
    if (!(error instanceof TextDecodingError)) throw error;
    return { text, isComplete: false };
  }
  return { text, isComplete: true };
}

/**
 * Bytes that are no text. All text before them has been given by then: the reader knows the line.
 */
export class TextDecodingError extends Error {
  constructor(
    readonly problem: string,
    readonly advice: string,
  ) {
    super(problem);
  }

  /** What a person is told, behind the file's name. */
  toInvalidFileError(line: number): InvalidFileError {
    return new InvalidFileError(`${this.problem} on line ${line}; ${this.advice}`, { cause: this });
  }
}

type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

const HEAD_BYTES = 4;

/** By the byte order mark, or by where the NULs of plain letters stand in UTF-16 without one. */
function detectEncoding([a, b, c, d]: Uint8Array): TextEncodingName {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c !== 0 && (d ?? 0) === 0) return 'utf-16le';
  if (a === 0 && b && (c ?? 0) === 0 && d !== 0) return 'utf-16be';
  return 'utf-8';
}

function getBomLength([a, b, c]: Uint8Array): number {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0;
}

/** How many bytes at the end begin a character that only the next piece can finish. */
function countIncompleteBytes(block: Uint8Array, encoding: TextEncodingName): number {
  if (encoding !== 'utf-8') {
    const odd = block.length % 2;
    const high = block[block.length - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
    return (high & 0xfc) === 0xd8 ? odd + 2 : odd;
  }
  for (let back = 1; back <= 3; back++) {
    const byte = block[block.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const bytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return bytes > back ? back : 0;
  }
  return 0;
}

function* decodeBlock(block: Uint8Array, encoding: TextEncodingName): Generator<string> {
  if (block.length === 0) return;
  const text = tryDecode(block, encoding);
  if (text === undefined) {
    yield* decodeBlock(block.subarray(0, countValidBytes(block, encoding)), encoding);
    const [problem, advice] =
      encoding === 'utf-8'
        ? ['is not UTF-8', 'save it as UTF-8']
        : ['has broken UTF-16', RESAVE_HINT];
    throw new TextDecodingError(problem, advice);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    yield text.slice(0, nul);
    throw new TextDecodingError('has a NUL character', RESAVE_HINT);
  }
  yield text;
}

const RESAVE_HINT = 'save it as text in UTF-8';

function tryDecode(block: Uint8Array, encoding: TextEncodingName): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return undefined;
  }
}

/** How many bytes stand before the first bad one. */
function countValidBytes(block: Uint8Array, encoding: TextEncodingName): number {
  const whole = (bytes: number) => bytes - countIncompleteBytes(block.subarray(0, bytes), encoding);
  let [good, bad] = [0, block.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (tryDecode(block.subarray(0, whole(middle)), encoding) === undefined) bad = middle;
    else good = middle;
  }
  return whole(good);
}
