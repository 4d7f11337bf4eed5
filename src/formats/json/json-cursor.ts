import { decodeText, TextDecodingError } from '../decode-text.ts';
import { type FileInput, InvalidFileError } from '../file-contents.ts';
import { isJsonWhitespace, JsonValueParser } from './json-value-parser.ts';

/** Goes through the text of a JSON file from value to value, and holds no more than one of them. */
export class JsonCursor {
  /** The line that it has come to. */
  line = 1;
  /** How many pieces of the file it has taken. */
  pieces = 0;
  readonly #source: AsyncGenerator<string>;
  #text = '';
  #at = 0;

  constructor(input: FileInput) {
    this.#source = decodeText(input.readBytes());
  }

  /** The next character that is not blank, still to be read; empty at the end of the file. */
  async peek(): Promise<string> {
    for (;;) {
      for (; this.#at < this.#text.length; this.#at++) {
        const code = this.#text.charCodeAt(this.#at);
        if (!isJsonWhitespace(code)) return this.#text.charAt(this.#at);
        if (code === 0x0a) this.line++;
      }
      if (!(await this.#more())) return '';
    }
  }

  /** Reads the next character that is not blank, which must be one of these. */
  async expect(...expected: readonly string[]): Promise<string> {
    const next = await this.peek();
    if (next === '') throw createTruncatedJsonError();
    if (!expected.includes(next))
      throw new InvalidFileError(`has broken JSON on line ${this.line}`);
    this.#at++;
    return next;
  }

  /** Reads the next value, and tells the line that it begins on. */
  async readValue(): Promise<{ line: number; value: unknown }> {
    if ((await this.peek()) === '') throw createTruncatedJsonError();
    const { line } = this;
    const value = new JsonValueParser(line);
    await this.#through(value, (text) => value.append(text));
    return { line, value: value.parse() };
  }

  /** Passes over the next value, however long it is. */
  async skip(): Promise<void> {
    if ((await this.peek()) === '') throw createTruncatedJsonError();
    await this.#through(new JsonValueParser(this.line), () => {});
  }

  /** Refuses whatever follows. */
  async end(): Promise<void> {
    if ((await this.peek()) === '') return;
    throw new InvalidFileError(`has something behind the end of its JSON, on line ${this.line}`);
  }

  /** Lets go of the file, which may not have been read to its end. */
  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  async #through(value: JsonValueParser, take: (text: string) => void): Promise<void> {
    for (;;) {
      const end = value.findEnd(this.#text, this.#at);
      const text = this.#text.slice(this.#at, end);
      take(text);
      this.line += countLineEnds(text);
      this.#at += text.length;
      if (end !== undefined) return;
      if (await this.#more()) continue;
      if (value.mayEnd) return;
      throw createTruncatedJsonError();
    }
  }

  async #more(): Promise<boolean> {
    try {
      const { done, value } = await this.#source.next();
      if (done) return false;
      this.#text = value;
      this.#at = 0;
      this.pieces++;
      return true;
    } catch (error) {
      throw error instanceof TextDecodingError ? error.toInvalidFileError(this.line) : error;
    }
  }
}

const createTruncatedJsonError = () => new InvalidFileError('is cut short: its JSON has no end');

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
