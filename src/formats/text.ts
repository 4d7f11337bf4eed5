import { FileRefused, type Input } from './format.ts';

/** The text in UTF-8 or UTF-16, in pieces, without a byte order mark; or `NotText` is thrown. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let encoding: Encoding | undefined;
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    let block = held.length === 0 ? piece : Buffer.concat([held, piece]);
    held = block;
    if (encoding === undefined) {
      if (block.length < HEAD_BYTES) continue;
      encoding = encodingOf(block);
      block = block.subarray(markBytes(block));
    }
    const whole = block.length - unfinishedBytes(block, encoding);
    held = block.subarray(whole);
    yield* decoded(block.subarray(0, whole), encoding);
  }
  if (encoding === undefined) yield* decoded(held.subarray(markBytes(held)), encodingOf(held));
  else yield* decoded(held, encoding);
}

/** The first characters of a text, and whether they are all of it. */
export interface Head {
  readonly text: string;
  readonly whole: boolean;
}

/** The head of a file's text; it ends early where what follows is no text. */
export async function headOf(input: Input, characters: number): Promise<Head> {
  let text = '';
  try {
    for await (const piece of textOf(input.bytes())) {
      text += piece;
      if (text.length > characters) return { text: text.slice(0, characters), whole: false };
    }
  } catch (error) {
    if (!(error instanceof NotText)) throw error;
    return { text, whole: false };
  }
  return { text, whole: true };
}

/**
 * Bytes that are no text. All text before them has been given by then: the reader knows the line.
 */
export class NotText extends Error {
  constructor(
    readonly problem: string,
    readonly advice: string,
  ) {
    super(problem);
  }

  /** What a person is told, behind the file's name. */
  refusal(line: number): FileRefused {
    return new FileRefused(`${this.problem} on line ${line}; ${this.advice}`, { cause: this });
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const HEAD_BYTES = 4;

/** By the byte order mark, or by where the NULs of plain letters stand in UTF-16 without one. */
function encodingOf([a, b, c, d]: Uint8Array): Encoding {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c !== 0 && (d ?? 0) === 0) return 'utf-16le';
  if (a === 0 && b && (c ?? 0) === 0 && d !== 0) return 'utf-16be';
  return 'utf-8';
}

function markBytes([a, b, c]: Uint8Array): number {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0;
}

/** How many bytes at the end begin a character that only the next piece can finish. */
function unfinishedBytes(block: Uint8Array, encoding: Encoding): number {
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

function* decoded(block: Uint8Array, encoding: Encoding): Generator<string> {
  if (block.length === 0) return;
  const text = decode(block, encoding);
  if (text === undefined) {
    yield* decoded(block.subarray(0, validBytes(block, encoding)), encoding);
    const [problem, advice] =
      encoding === 'utf-8' ? ['is not UTF-8', 'save it as UTF-8'] : ['has broken UTF-16', RESAVE];
    throw new NotText(problem, advice);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    yield text.slice(0, nul);
    throw new NotText('has a NUL character', RESAVE);
  }
  yield text;
}

const RESAVE = 'save it as text in UTF-8';

function decode(block: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return undefined;
  }
}

/** How many bytes stand before the first bad one. */
function validBytes(block: Uint8Array, encoding: Encoding): number {
  const whole = (bytes: number) => bytes - unfinishedBytes(block.subarray(0, bytes), encoding);
  let [good, bad] = [0, block.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decode(block.subarray(0, whole(middle)), encoding) === undefined) bad = middle;
    else good = middle;
  }
  return whole(good);
}
