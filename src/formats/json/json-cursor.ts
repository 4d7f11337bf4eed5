import { decodeText, TextDecodingError } from '../decode-text.ts';
import { type FileInput, InvalidFileError } from '../file-contents.ts';
import { isJsonWhitespace, JsonValueParser } from './json-value-parser.ts';

/** Reads a JSON file value by value, with no more than one of them in memory. */
export class JsonCursor {
  line = 1;
  chunkCount = 0;
  readonly #chunks: AsyncGenerator<string>;
  #text = '';
  #position = 0;

  constructor(input: FileInput) {
    this.#chunks = decodeText(input);
  }

  /** The next non-blank character, which stays unread; empty at the end of the file. */
  async peek(): Promise<string> {
    for (;;) {
      for (; this.#position < this.#text.length; this.#position++) {
        const code = this.#text.charCodeAt(this.#position);
        if (!isJsonWhitespace(code)) return this.#text.charAt(this.#position);
        if (code === 0x0a) this.line++;
      }
      if (!(await this.#readChunk())) return '';
    }
  }

  /** Reads the next non-blank character, which must be one of these. */
  async expect(...expected: readonly string[]): Promise<string> {
    const next = await this.peek();
    if (next === '') throw createTruncatedJsonError();
    if (!expected.includes(next)) throw this.#createBrokenError();
    this.#position++;
    return next;
  }

  async readValue(): Promise<{ line: number; value: unknown }> {
    if ((await this.peek()) === '') throw createTruncatedJsonError();
    const { line } = this;
    const parser = new JsonValueParser(line);
    await this.#scan(parser, (text) => parser.append(text));
    return { line, value: parser.parse() };
  }

  async skip(): Promise<void> {
    if ((await this.peek()) === '') throw createTruncatedJsonError();
    await this.#scan(new JsonValueParser(this.line), () => {});
  }

  /** The names in an object; the consumer reads or skips the value after each. */
  async *memberNames(): AsyncGenerator<string> {
    for await (const _ of this.#separated('{', '}')) {
      const { value: name } = await this.readValue();
      if (typeof name !== 'string') throw this.#createBrokenError();
      await this.expect(':');
      yield name;
    }
  }

  /** The indexes of a list; the consumer reads or skips the element at each. */
  elementIndexes(): AsyncGenerator<number> {
    return this.#separated('[', ']');
  }

  async *#separated(open: string, close: string): AsyncGenerator<number> {
    await this.expect(open);
    if ((await this.peek()) === close) {
      await this.expect(close);
      return;
    }
    let index = 0;
    do yield index++;
    while ((await this.expect(',', close)) === ',');
  }

  async end(): Promise<void> {
    if ((await this.peek()) === '') return;
    throw new InvalidFileError(`has something after the end of its JSON, on line ${this.line}`);
  }

  /** Closes the file, which may not have been read to its end. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #scan(parser: JsonValueParser, onText: (text: string) => void): Promise<void> {
    for (;;) {
      const end = parser.findEnd(this.#text, this.#position);
      const text = this.#text.slice(this.#position, end);
      onText(text);
      this.line += countLineEnds(text);
      this.#position += text.length;
      if (end !== undefined) return;
      if (await this.#readChunk()) continue;
      if (parser.canEnd) return;
      throw createTruncatedJsonError();
    }
  }

  #createBrokenError(): InvalidFileError {
    return new InvalidFileError(`has broken JSON on line ${this.line}`);
  }

  async #readChunk(): Promise<boolean> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#text = value;
      this.#position = 0;
      this.chunkCount++;
      return true;
    } catch (error) {
      throw error instanceof TextDecodingError ? error.toInvalidFileError(this.line) : error;
    }
  }
}

const createTruncatedJsonError = () => new InvalidFileError('is cut short: its JSON has no end');

function countLineEnds(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}
