import { type FileInput, InvalidFileError } from './file-contents.ts';
import {
  detectUnicode,
  EAST_ASIAN,
  findSample,
  getBomLength,
  TEXT_ENCODINGS,
  type TextEncoding,
  type TextOptions,
} from './text-encoding.ts';

/**
 * Decodes a file in chunks, without a byte order mark; throws a TextDecodingError. If no encoding is given,
 * it is UTF-16 by the first bytes, else UTF-8, or Windows-1252 if all bytes before the first invalid one are
 * ASCII, which mean the same in both.
 */
export async function* decodeText(input: Pick<FileInput, 'readBytes' | 'text'>) {
  let decoder: BlockDecoder | undefined;
  let buffered: Uint8Array = new Uint8Array(0);
  for await (const chunk of input.readBytes()) {
    let block = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    buffered = block;
    if (decoder === undefined) {
      if (block.length < HEAD_BYTES) continue;
      decoder = new BlockDecoder(block, input.text);
      block = block.subarray(getBomLength(block));
    }
    const end = block.length - countIncompleteBytes(block, decoder.encoding);
    buffered = block.subarray(end);
    yield* decoder.decode(block.subarray(0, end));
  }
  if (decoder === undefined)
    yield* new BlockDecoder(buffered, input.text).decode(
      buffered.subarray(getBomLength(buffered)),
      true,
    );
  else yield* decoder.decode(buffered, true);
}

const HEAD_BYTES = 4;

export interface TextHead {
  readonly text: string;
  readonly isComplete: boolean;
  /** Whether bytes that are not text follow. */
  readonly isBroken?: true;
}

/** The start of a file's text; ends early at bytes that cannot be decoded. */
export async function readTextHead(input: FileInput, characters: number): Promise<TextHead> {
  let text = '';
  try {
    for await (const chunk of decodeText(input)) {
      text += chunk;
      if (text.length > characters) return { text: text.slice(0, characters), isComplete: false };
    }
  } catch (error) {
    if (!(error instanceof TextDecodingError)) throw error;
    return { text, isComplete: false, isBroken: true };
  }
  return { text, isComplete: true };
}

/** Bytes that are not text. All preceding text has been yielded, so the reader knows the line. */
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

/** Decodes blocks of whole characters in an encoding that may still change. */
class BlockDecoder {
  encoding: TextEncoding;
  /** Whether the bytes may still turn out to be Windows-1252: no block has had a letter beyond ASCII. */
  #canBeWindows1252: boolean;
  #isGuess = false;
  #lastBytes: Uint8Array = new Uint8Array(0);

  constructor(
    head: Uint8Array,
    private readonly options: TextOptions = {},
  ) {
    const unicode = detectUnicode(head);
    const hasBom = getBomLength(head) > 0;
    this.encoding = options.encoding ?? unicode;
    this.#canBeWindows1252 = !options.encoding && unicode === 'utf-8' && !hasBom;
    if (hasBom && this.encoding !== unicode) {
      const advice = `leave out --encoding ${this.encoding}`;
      throw new TextDecodingError(`has the byte order mark of ${unicode.toUpperCase()}`, advice);
    }
    if (!options.encoding && unicode !== 'utf-8') options.onDetected?.({ encoding: unicode });
  }

  *decode(block: Uint8Array, isLast = false): Generator<string> {
    if (block.length === 0) return;
    const text = tryDecode(block, this.encoding);
    if (text === undefined) {
      const valid = block.subarray(0, countValidBytes(block, this.encoding));
      yield* this.decode(valid);
      // The file may be cut off within its last letter.
      if (!this.#canBeWindows1252 || isLast) throw this.#createError();
      this.#guessWindows1252(block);
      yield* this.decode(block.subarray(valid.length));
      return;
    }
    if (text.length !== block.length) this.#canBeWindows1252 = false;
    const unlikely = this.#isGuess ? this.#findUnlikelyByte(block) : -1;
    const nul = text.indexOf('\0');
    if (nul < 0 && unlikely < 0) return yield text;
    const isNul = unlikely < 0 || (nul >= 0 && nul < unlikely);
    // Includes the unlikely character, as if it had come in a block of its own: a line may begin with it.
    yield text.slice(0, isNul ? nul : unlikely + 1);
    throw isNul ? new TextDecodingError('has a NUL character', RESAVE_HINT) : this.#createError();
  }

  #guessWindows1252(block: Uint8Array): void {
    this.encoding = 'windows-1252';
    this.#isGuess = true;
    this.#canBeWindows1252 = false;
    const sample = findSample(tryDecode(block, this.encoding) ?? '');
    this.options.onDetected?.({ encoding: this.encoding, sample });
  }

  /** Includes the end of the previous block, because an unlikely sequence may begin there. */
  #findUnlikelyByte(block: Uint8Array): number {
    const before = this.#lastBytes.length;
    const bytes = Buffer.concat([this.#lastBytes, block]);
    const index = findUnlikelyByte(bytes);
    this.#lastBytes = bytes.subarray(-MAX_UNLIKELY_BYTES + 1);
    return index < 0 ? -1 : Math.max(0, index - before);
  }

  #createError(): TextDecodingError {
    if (this.#isGuess)
      return new TextDecodingError('is neither UTF-8 nor surely Windows-1252', ENCODING_HINT);
    return this.encoding === 'utf-8'
      ? new TextDecodingError('is not UTF-8', `save it as UTF-8, or ${ENCODING_HINT}`)
      : new TextDecodingError(
          `has broken ${this.encoding.replace(/^utf-16../, 'UTF-16')}`,
          RESAVE_HINT,
        );
  }
}

const ENCODING_HINT = `name its encoding with --encoding: ${TEXT_ENCODINGS.join(', ')}`;
const RESAVE_HINT = 'save it as text in UTF-8';

/** The bytes at the end that are the start of an incomplete character. */
function countIncompleteBytes(block: Uint8Array, encoding: TextEncoding): number {
  if (encoding.startsWith('utf-16')) {
    const odd = block.length % 2;
    const high = block[block.length - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
    return (high & 0xfc) === 0xd8 ? odd + 2 : odd;
  }
  // No multi-byte character contains a byte that could separate cells.
  if ((EAST_ASIAN as readonly string[]).includes(encoding))
    return block.length - 1 - block.findLastIndex((byte) => byte < 0x30);
  if (encoding !== 'utf-8') return 0;
  for (let back = 1; back <= 3; back++) {
    const byte = block[block.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const bytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return bytes > back ? back : 0;
  }
  return 0;
}

function tryDecode(block: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return undefined;
  }
}

/** The number of bytes before the first invalid one, by binary search. */
function countValidBytes(block: Uint8Array, encoding: TextEncoding): number {
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

/**
 * The index of the first byte that is unlikely in Windows-1252; -1 if there is none. Control characters are
 * not text, four different characters beyond ASCII in a row suggest another alphabet, and bytes that are
 * valid UTF-8 are most likely UTF-8.
 */
function findUnlikelyByte(block: Uint8Array): number {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length).toString('latin1');
  return bytes.search(UNLIKELY_IN_WINDOWS_1252);
}

/** The length of the longest unlikely sequence. */
const MAX_UNLIKELY_BYTES = 4;

const UNLIKELY_IN_WINDOWS_1252 =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: These are what is looked for.
  /[\x01-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]|(?!(.)\1{3})[\x80-\xff]{4}|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/;
