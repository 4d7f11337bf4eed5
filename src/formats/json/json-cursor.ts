import { decodeText, TextDecodingError } from '../decode-text.ts';
import { type FileInput, InvalidFileError } from '../file-contents.ts';
import {
  assertJsonDepth,
  countLineEnds,
  findValueEnd,
  isJsonWhitespace,
  parseValue,
} from './parse-value.ts';

const MAX_MEGABYTES = 256;

/** Reads a JSON file, which has to fit into memory. */
export async function openJson(input: FileInput): Promise<JsonCursor> {
  const chunks: string[] = [];
  let length = 0;
  try {
    for await (const chunk of decodeText(input)) {
      if (chunks.length === 0) assertJsonDepth(chunk);
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_MEGABYTES * 1024 ** 2)
        throw new InvalidFileError(
          `has more than ${MAX_MEGABYTES} MB of JSON; save it as NDJSON, with a record on each line`,
        );
    }
  } catch (error) {
    if (!(error instanceof TextDecodingError)) throw error;
    throw error.toInvalidFileError(1 + countLineEnds(chunks.join('')));
  }
  return new JsonCursor(chunks.join(''));
}

/** Reads a text of JSON value by value, and knows the line of each. */
export class JsonCursor {
  line = 1;
  #position = 0;

  constructor(private readonly text: string) {}

  /** One at the start of the same text. */
  copy(): JsonCursor {
    return new JsonCursor(this.text);
  }

  /** The next non-blank character, which stays unread; empty at the end of the text. */
  peek(): string {
    for (; this.#position < this.text.length; this.#position++) {
      const code = this.text.charCodeAt(this.#position);
      if (!isJsonWhitespace(code)) break;
      if (code === 0x0a) this.line++;
    }
    return this.text.charAt(this.#position);
  }

  /** Reads the next non-blank character, which must be one of these. */
  expect(...expected: readonly string[]): string {
    const next = this.peek();
    if (next === '') throw createTruncatedError();
    if (!expected.includes(next)) throw this.#createBrokenError();
    this.#position++;
    return next;
  }

  readValue(): { line: number; value: unknown } {
    this.peek();
    const { line } = this;
    const { text, colons } = this.#takeValue();
    return { line, value: parseValue(text, colons, line) };
  }

  skip(): void {
    this.peek();
    this.#takeValue();
  }

  /** The names in an object; the consumer reads or skips the value after each. */
  *memberNames(): Generator<string> {
    for (const _ of this.#separated('{', '}')) {
      const { value: name } = this.readValue();
      if (typeof name !== 'string') throw this.#createBrokenError();
      this.expect(':');
      yield name;
    }
  }

  /** The indexes of a list; the consumer reads or skips the element at each. */
  elementIndexes(): Generator<number> {
    return this.#separated('[', ']');
  }

  *#separated(open: string, close: string): Generator<number> {
    this.expect(open);
    if (this.peek() === close) {
      this.expect(close);
      return;
    }
    let index = 0;
    do yield index++;
    while (this.expect(',', close) === ',');
  }

  end(): void {
    if (this.peek() === '') return;
    throw new InvalidFileError(`has something after the end of its JSON, on line ${this.line}`);
  }

  #takeValue() {
    const { end, colons } = findValueEnd(this.text, this.#position, this.line);
    if (end === undefined || this.#position === this.text.length) throw createTruncatedError();
    const text = this.text.slice(this.#position, end);
    this.line += countLineEnds(text);
    this.#position = end;
    return { text, colons };
  }

  #createBrokenError(): InvalidFileError {
    return new InvalidFileError(`has broken JSON on line ${this.line}`);
  }
}

const createTruncatedError = () => new InvalidFileError('is cut short: its JSON has no end');
