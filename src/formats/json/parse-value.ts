import { InvalidFileError } from '../file-contents.ts';

const MAX_VALUE_CHARACTERS = 16 * 1024 * 1024;
const MAX_DEPTH = 64;
/** Different names in one value: each takes about a kilobyte of memory. */
export const MAX_NAMES = 100_000;

/**
 * Parses the text of one value with so many colons. Rejects broken values, and those that repeat a
 * name in one object, where `JSON.parse` would keep the last. Numbers that no double holds, such as
 * 1e400 and 9007199254740993, become text.
 */
export function parseValue(text: string, colons: number, line: number): unknown {
  if (colons > MAX_NAMES) assertNameCount(text, line);
  let value: unknown;
  try {
    // A reviver is slow, and few texts need it.
    value = MAY_EXCEED_DOUBLE.test(text) ? JSON.parse(text, reviveExactNumber) : JSON.parse(text);
  } catch (cause) {
    throw new InvalidFileError(`has broken JSON in the value on line ${line}`, { cause });
  }
  if (countMemberNames(value) === colons) return value;
  throw new InvalidFileError(`has a name twice in one object, in the value on line ${line}`);
}

/**
 * The position after the value that begins here, undefined if it has no end, and its colons. Rejects
 * values that are too deep.
 */
export function findValueEnd(text: string, from: number, line: number, maxDepth = MAX_DEPTH) {
  let [depth, colons] = [0, 0];
  for (let position = from; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = findQuote(text, position + 1);
      if (depth === 0) return { end: position < text.length ? position + 1 : undefined, colons };
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > maxDepth)
        throw new InvalidFileError(`is more than ${MAX_DEPTH} deep in the value on line ${line}`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return { end: position, colons };
      if (--depth === 0) return { end: position + 1, colons };
    } else if (depth > 0) {
      if (code === COLON) colons++;
    } else if (code === COMMA || code === COLON || isJsonWhitespace(code))
      return { end: position, colons };
  }
  // Nothing marks the end of a number.
  return { end: depth === 0 ? text.length : undefined, colons };
}

export function assertValueLength(text: string, line: number): void {
  if (text.length <= MAX_VALUE_CHARACTERS) return;
  throw new InvalidFileError(`has more than 16 Mi characters in the value on line ${line}`);
}

/** Rejects the start of a file in which a value is too deep, be it a list of records or a response with one. */
export function assertJsonDepth(head: string): void {
  findValueEnd(head, head.search(/\S/), 1, MAX_DEPTH + 2);
}

/** Rejects a text of JSON that a load would find too deep, or with far too many different names. */
export function assertJsonLimits(text: string): void {
  findValueEnd(text, text.search(/\S/), 1);
  assertNameCount(text, 1);
}

function assertNameCount(text: string, line: number): void {
  const names = new Set<string>();
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = findQuote(text, start + 1);
    let next = end + 1;
    while (isJsonWhitespace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === COLON) names.add(text.slice(start, end));
    if (names.size > MAX_NAMES)
      throw new InvalidFileError(
        `has more than ${MAX_NAMES.toLocaleString('en')} different names in the value on line ${line}`,
      );
    start = text.indexOf('"', next);
  }
}

/** The position of the next quote that is not escaped, or the end of the text. */
function findQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - escapes - 1) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

export function isJsonWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Many digits, or an exponent. */
const MAY_EXCEED_DOUBLE = /\d{16}|\d[eE][+\d]/;

/** The value, or the text of a number that no double holds. */
function reviveExactNumber(_name: string, value: unknown, context?: { readonly source?: string }) {
  if (typeof value !== 'number') return value;
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? value : (context?.source ?? value);
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

export function countLineEnds(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}

function countMemberNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) count += countMemberNames(child);
  return count;
}
