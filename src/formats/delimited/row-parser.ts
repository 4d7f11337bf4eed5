import { type CellRow, InvalidFileError } from '../file-contents.ts';
import { CharacterFinder } from './character-finder.ts';

const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_CELLS = 16_384;

/**
 * Cuts delimited text (RFC 4180) into rows. It takes the text in pieces that may be cut anywhere:
 * what one leaves unfinished, the next goes on with.
 */
export class DelimitedRowParser {
  /** The line that the text so far has come to. */
  line = 1;
  #rows: CellRow[] = [];
  readonly #delimiter: CharacterFinder;
  readonly #quote = new CharacterFinder('"');
  readonly #cr = new CharacterFinder('\r');
  readonly #lf = new CharacterFinder('\n');
  /** A CR at the end of a piece: alone it ends a line, with an LF behind it the two do. */
  #held = '';

  #state: 'record' | 'cell' | 'plain' | 'quoted' | 'closed' = 'record';
  #begun = 1;
  #length = 0;
  #cells: string[] = [];
  #cell = '';
  #quotedSince = 0;

  constructor(delimiter: string) {
    this.#delimiter = new CharacterFinder(delimiter);
  }

  /** The rows that have ended since this was last asked. */
  takeRows(): CellRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Takes the next piece of the text. */
  feed(chunk: string): void {
    const text = this.#held + chunk;
    this.#held = text.endsWith('\r') ? '\r' : '';
    this.#cut(this.#held === '' ? text : text.slice(0, -1));
  }

  /** The text is at its end: the last line may have no line end. */
  finish(): void {
    this.#cut(this.#held);
    if (this.#state === 'quoted') {
      throw new InvalidFileError(`has a quote on line ${this.#quotedSince} that is never closed`);
    }
    if (this.#state !== 'record') this.#endRecord();
  }

  #cut(text: string): void {
    for (const finder of [this.#delimiter, this.#quote, this.#cr, this.#lf]) finder.setText(text);
    let at = 0;
    while (at < text.length) {
      if (this.#state === 'record') at = this.#plainLines(text, at);
      if (at === text.length) return;
      const from = at;
      at = this.#step(text, at);
      // What ends the record is a step of its own, and not counted.
      if (this.#state === 'record') continue;
      this.#length += at - from;
      this.#refuseLong(this.#length);
    }
  }

  /** The way of nearly all text: every whole line up to one with a quote in it. */
  #plainLines(text: string, start: number): number {
    let at = start;
    for (;;) {
      const end = this.#lineEnd(at);
      this.#begun = this.line;
      this.#length = 0;
      if (end === text.length || this.#quote.findFrom(at) < end) return at;
      this.#refuseLong(end - at);
      const cells: string[] = [];
      for (
        let next = this.#delimiter.findFrom(at);
        next < end;
        next = this.#delimiter.findFrom(at)
      ) {
        cells.push(text.slice(at, next));
        at = next + 1;
      }
      cells.push(text.slice(at, end));
      this.#refuseWide(cells);
      if (!isBlankRow(cells)) this.#rows.push({ position: this.line, cells });
      at = this.#overLineEnd(text, end);
    }
  }

  /** The way of all other text: a part of a cell, or what stands between two. */
  #step(text: string, at: number): number {
    if (this.#state === 'quoted') return this.#quotedPart(text, at);
    if (this.#state === 'closed') return this.#afterCell(text, at);
    if (this.#state !== 'plain' && text[at] === '"') {
      this.#state = 'quoted';
      this.#quotedSince = this.line;
      return at + 1;
    }
    this.#state = 'plain';
    const end = Math.min(this.#delimiter.findFrom(at), this.#lineEnd(at));
    this.#cell += text.slice(at, end);
    if (end < text.length) this.#state = 'closed';
    return end;
  }

  #quotedPart(text: string, at: number): number {
    const end = this.#quote.findFrom(at);
    this.#cell += text.slice(at, end);
    let next = this.#lineEnd(at);
    while (next < end) next = this.#lineEnd(this.#overLineEnd(text, next));
    if (end === text.length) return end;
    this.#state = 'closed';
    return end + 1;
  }

  #afterCell(text: string, at: number): number {
    if (at === this.#lineEnd(at)) {
      this.#endRecord();
      return this.#overLineEnd(text, at);
    }
    if (at === this.#delimiter.findFrom(at)) {
      this.#cells.push(this.#cell);
      this.#refuseWide(this.#cells);
      this.#cell = '';
      this.#state = 'cell';
      return at + 1;
    }
    // Behind a plain cell there is nothing else, so this is behind a quoted one.
    if (text[at] !== '"') {
      throw new InvalidFileError(`has text behind a closing quote on line ${this.line}`);
    }
    this.#cell += '"';
    this.#state = 'quoted';
    return at + 1;
  }

  #endRecord(): void {
    const cells = this.#cells;
    cells.push(this.#cell);
    this.#refuseWide(cells);
    // Quotes say that there is something, be it empty.
    if (this.#quotedSince >= this.#begun || !isBlankRow(cells)) {
      this.#rows.push({ position: this.#begun, cells });
    }
    this.#cells = [];
    this.#cell = '';
    this.#state = 'record';
  }

  #lineEnd(at: number): number {
    return Math.min(this.#cr.findFrom(at), this.#lf.findFrom(at));
  }

  #overLineEnd(text: string, at: number): number {
    this.line++;
    return text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1;
  }

  #refuseLong(characters: number): void {
    if (characters <= MAX_LINE_CHARACTERS) return;
    throw new InvalidFileError(`has more than 4 Mi characters on line ${this.#begun}`);
  }

  #refuseWide(cells: readonly string[]): void {
    if (cells.length <= MAX_CELLS) return;
    throw new InvalidFileError(`has more than 16,384 cells on line ${this.#begun}`);
  }
}

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
