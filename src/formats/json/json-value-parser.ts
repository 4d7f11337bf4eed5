import { InvalidFileError } from '../file-contents.ts';

const MAX_VALUE_CHARACTERS = 16 * 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * One JSON value, whose text comes in pieces: finds its end, and parses it. Refused, by the line
 * that it begins on, are values that are broken, too long or too deep, or that have a name twice
 * in one object: parsers keep the last of the two and say nothing. Numbers that no double holds,
 * such as 1e400 and 9007199254740993, are given as the text that the file has.
 */
export class JsonValueParser {
  readonly #line: number;
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #colons = 0;

  constructor(line: number) {
    this.#line = line;
  }

  /**
   * Where the value ends in this piece of its text, which it begins or goes on: the place behind
   * its last character. Undefined where it goes on behind the piece.
   */
  findEnd(text: string, from: number): number | undefined {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#deeper();
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (this.#depth === 0) return at;
        if (--this.#depth === 0) return at + 1;
      } else if (this.#depth > 0) {
        if (code === COLON) this.#colons++;
      } else if (code === COMMA || code === COLON || isJsonWhitespace(code)) return at;
    }
    return undefined;
  }

  /** Takes a piece of the value's text. */
  append(text: string): void {
    this.#text += text;
    assertValueLength(this.#text, this.#line);
  }

  /** Whether it could end here: a number has no sign of its end. */
  get mayEnd(): boolean {
    return this.#depth === 0 && !this.#inString;
  }

  /** The value that was held. */
  parse(): unknown {
    let value: unknown;
    try {
      // Few texts have such numbers, and looking at every value takes time.
      value = MAY_EXCEED_DOUBLE.test(this.#text)
        ? JSON.parse(this.#text, reviveExactNumber)
        : JSON.parse(this.#text);
    } catch (cause) {
      throw new InvalidFileError(`has broken JSON in the value on line ${this.#line}`, { cause });
    }
    if (countMemberNames(value) !== this.#colons) {
      throw new InvalidFileError(
        `has a name twice in one object, in the value on line ${this.#line}`,
      );
    }
    return value;
  }

  #deeper(): void {
    if (++this.#depth <= MAX_DEPTH) return;
    throw new InvalidFileError(`is more than ${MAX_DEPTH} deep in the value on line ${this.#line}`);
  }
}

/** Refuses a value that is too long already, however it goes on. */
export function assertValueLength(text: string, line: number): void {
  if (text.length <= MAX_VALUE_CHARACTERS) return;
  throw new InvalidFileError(`has more than 16 Mi characters in the value on line ${line}`);
}

/** What JSON takes for blank; other spaces are errors in it. */
export function isJsonWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** A number may be too large for a double where there are many digits, or an exponent. */
const MAY_EXCEED_DOUBLE = /\d{16}|\d[eE][+\d]/;

/** The value, or the text of a number that was rounded by a whole or more. */
function reviveExactNumber(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number') return value;
  const isHeld = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isHeld ? value : (context?.source ?? value);
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

function countMemberNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value);
  let names = Array.isArray(value) ? 0 : within.length;
  for (const inner of within) names += countMemberNames(inner);
  return names;
}
