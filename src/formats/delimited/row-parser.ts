import { unescapeFormula } from '../../shared/delimited-cell.ts';
import { type CellRow, InvalidFileError } from '../file-contents.ts';

const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_CELLS = 16_384;

/** Parses delimited text (RFC 4180) from chunks that may end within a row. */
export class DelimitedRowParser {
  line = 1;
  #rows: CellRow[] = [];
  readonly #delimiter: CharacterFinder;
  readonly #quote = new CharacterFinder('"');
  readonly #cr = new CharacterFinder('\r');
  readonly #lf = new CharacterFinder('\n');
  /** A CR at the end of a chunk, which an LF may follow. */
  #pendingCr = '';

  #state: 'record' | 'cell' | 'plain' | 'quoted' | 'closed' = 'record';
  #recordLine = 1;
  #recordLength = 0;
  #cells: string[] = [];
  #cell = '';
  #quoteLine = 0;

  constructor(delimiter: string) {
    this.#delimiter = new CharacterFinder(delimiter);
  }

  takeRows(): CellRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Whether a row that is not blank has begun. */
  get hasText(): boolean {
    return this.#state === 'quoted' || !isBlankRow([...this.#cells, this.#cell]);
  }

  feed(chunk: string): void {
    const text = this.#pendingCr + chunk;
    this.#pendingCr = text.endsWith('\r') ? '\r' : '';
    this.#parse(this.#pendingCr === '' ? text : text.slice(0, -1));
  }

  /** Ends the last line, which may have no line end. */
  finish(): void {
    this.#parse(this.#pendingCr);
    if (this.#state === 'quoted')
      throw new InvalidFileError(`has a quote on line ${this.#quoteLine} that is never closed`);
    if (this.#state !== 'record') this.#endRecord();
  }

  #parse(text: string): void {
    for (const finder of [this.#delimiter, this.#quote, this.#cr, this.#lf]) finder.setText(text);
    let position = 0;
    while (position < text.length) {
      if (this.#state === 'record') position = this.#parsePlainLines(text, position);
      if (position === text.length) return;
      const from = position;
      position = this.#parseStep(text, position);
      // Line ends do not count towards the length of a record.
      if (this.#state === 'record') continue;
      this.#recordLength += position - from;
      this.#assertLineLength(this.#recordLength);
    }
  }

  /** The fast path for nearly all text: all complete lines up to one that contains a quote. */
  #parsePlainLines(text: string, start: number): number {
    let position = start;
    for (;;) {
      const end = this.#findLineEnd(position);
      this.#recordLine = this.line;
      this.#recordLength = 0;
      if (end === text.length || this.#quote.findFrom(position) < end) return position;
      this.#assertLineLength(end - position);
      const cells: string[] = [];
      let next = this.#delimiter.findFrom(position);
      while (next < end) {
        cells.push(unescapeFormula(text.slice(position, next)));
        position = next + 1;
        next = this.#delimiter.findFrom(position);
      }
      cells.push(unescapeFormula(text.slice(position, end)));
      this.#assertCellCount(cells);
      if (!isBlankRow(cells)) this.#rows.push({ position: this.line, cells });
      position = this.#skipLineEnd(text, end);
    }
  }

  /** The slow path: a part of a cell, or a separator. */
  #parseStep(text: string, position: number): number {
    if (this.#state === 'quoted') return this.#parseQuoted(text, position);
    if (this.#state === 'closed') return this.#parseAfterCell(text, position);
    if (this.#state !== 'plain' && text[position] === '"') {
      this.#state = 'quoted';
      this.#quoteLine = this.line;
      return position + 1;
    }
    this.#state = 'plain';
    const end = Math.min(this.#delimiter.findFrom(position), this.#findLineEnd(position));
    this.#cell += text.slice(position, end);
    if (end < text.length) this.#state = 'closed';
    return end;
  }

  #parseQuoted(text: string, position: number): number {
    const end = this.#quote.findFrom(position);
    this.#cell += text.slice(position, end);
    let next = this.#findLineEnd(position);
    while (next < end) next = this.#findLineEnd(this.#skipLineEnd(text, next));
    if (end === text.length) return end;
    this.#state = 'closed';
    return end + 1;
  }

  #parseAfterCell(text: string, position: number): number {
    if (position === this.#findLineEnd(position)) {
      this.#endRecord();
      return this.#skipLineEnd(text, position);
    }
    if (position === this.#delimiter.findFrom(position)) {
      this.#cells.push(unescapeFormula(this.#cell));
      this.#assertCellCount(this.#cells);
      this.#cell = '';
      this.#state = 'cell';
      return position + 1;
    }
    // A plain cell ends at a delimiter or line end, so this cell was quoted.
    if (text[position] !== '"')
      throw new InvalidFileError(`has text behind a closing quote on line ${this.line}`);
    this.#cell += '"';
    this.#state = 'quoted';
    return position + 1;
  }

  #endRecord(): void {
    const cells = this.#cells;
    cells.push(unescapeFormula(this.#cell));
    this.#assertCellCount(cells);
    // A row with a quoted cell is not blank, even if the cell is empty.
    if (this.#quoteLine >= this.#recordLine || !isBlankRow(cells))
      this.#rows.push({ position: this.#recordLine, cells });
    this.#cells = [];
    this.#cell = '';
    this.#state = 'record';
  }

  #findLineEnd(position: number): number {
    return Math.min(this.#cr.findFrom(position), this.#lf.findFrom(position));
  }

  #skipLineEnd(text: string, position: number): number {
    this.line++;
    return text[position] === '\r' && text[position + 1] === '\n' ? position + 2 : position + 1;
  }

  #assertLineLength(characters: number): void {
    if (characters <= MAX_LINE_CHARACTERS) return;
    throw new InvalidFileError(`has more than 4 Mi characters on line ${this.#recordLine}`);
  }

  #assertCellCount(cells: readonly string[]): void {
    if (cells.length <= MAX_CELLS) return;
    throw new InvalidFileError(`has more than 16,384 cells on line ${this.#recordLine}`);
  }
}

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/**
 * Finds the next occurrence of a character from ever larger positions, scanning the text once. With `indexOf`
 * alone, each line would search up to the end of the text for a rare character.
 */
class CharacterFinder {
  #text = '';
  #next = -1;

  constructor(private readonly character: string) {}

  setText(text: string): void {
    this.#text = text;
    this.#next = -1;
  }

  /** The first position at or after `start`, or the text's length; `start` never decreases. */
  findFrom(start: number): number {
    if (this.#next < start) {
      const next = this.#text.indexOf(this.character, start);
      this.#next = next < 0 ? this.#text.length : next;
    }
    return this.#next;
  }
}
