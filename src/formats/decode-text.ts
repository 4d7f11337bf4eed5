import { type FileInput, InvalidFileError } from './file-contents.ts';

/** Decodes UTF-8 or UTF-16 in chunks, without a byte order mark; throws a TextDecodingError. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let encoding: TextEncodingName | undefined;
  let buffered: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    let block = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    buffered = block;
    if (encoding === undefined) {
      if (block.length < HEAD_BYTES) continue;
      encoding = detectEncoding(block);
      block = block.subarray(getBomLength(block));
    }
    const end = block.length - countIncompleteBytes(block, encoding);
    buffered = block.subarray(end);
    yield* decodeBlock(block.subarray(0, end), encoding);
  }
  if (encoding === undefined)
    yield* decodeBlock(buffered.subarray(getBomLength(buffered)), detectEncoding(buffered));
  else yield* decodeBlock(buffered, encoding);
}

export interface TextHead {
  readonly text: string;
  readonly isComplete: boolean;
}

/** The head of a file's text; ends early at bytes that cannot be decoded. */
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

/** Bytes that are no text. All text before them has been yielded, so the reader knows the line. */
export class TextDecodingError extends Error {
  constructor(
    readonly problem: string,
    readonly advice: string,
  ) {
    super(problem);
  }

  toInvalidFileError(line: number): InvalidFileError {
    return new InvalidFileError(`${this.problem} on line ${line}; ${this.advice}`, { cause: this });
  }
}

type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

const HEAD_BYTES = 4;

/** By the byte order mark, or by the NULs of ASCII letters in UTF-16 without one. */
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

/** The bytes at the end that are the start of an incomplete character. */
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
    if (encoding === 'utf-8') throw new TextDecodingError('is not UTF-8', 'save it as UTF-8');
    throw new TextDecodingError('has broken UTF-16', RESAVE_HINT);
  }
  const nul = text.indexOf('\0');
  yield nul < 0 ? text : text.slice(0, nul);
  if (nul >= 0) throw new TextDecodingError('has a NUL character', RESAVE_HINT);
}

const RESAVE_HINT = 'save it as text in UTF-8';

function tryDecode(block: Uint8Array, encoding: TextEncodingName): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return undefined;
  }
}

/** The number of bytes before the first invalid one, by binary search. */
function countValidBytes(block: Uint8Array, encoding: TextEncodingName): number {
  const toCharacterEnd = (bytes: number) =>
    bytes - countIncompleteBytes(block.subarray(0, bytes), encoding);
  let [valid, invalid] = [0, block.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (tryDecode(block.subarray(0, toCharacterEnd(middle)), encoding) === undefined)
      invalid = middle;
    else valid = middle;
  }
  return toCharacterEnd(valid);
}
