import { type Cell, FileRefused, type Row } from '../format.ts';
import { columnName, columnOf, MOST_COLUMNS, MOST_ROWS, rowOf } from './address.ts';
import { attribute } from './attributes.ts';
import { type Book, CellFault, readCell, type StoredCell } from './cell.ts';
import { isShown } from './strings.ts';
import type { XmlReader } from './xml.ts';

/** Characters of a row, all cells together. */
const LONGEST_ROW = 4 * 1_048_576;

/** Collects the filled rows of a sheet while its XML is read. */
export class SheetReader implements XmlReader {
  readonly #book: Book;
  readonly #merged: (row: number) => readonly string[] | undefined;
  #rows: Row[] = [];
  #weight = 0;
  #at = 0;
  #cells: Cell[] = [];
  #column = 0;
  #cell: Mutable<StoredCell> = newCell('');
  /** Characters of the row so far. */
  #length = 0;
  #inText = false;

  constructor(book: Book, merged: (row: number) => readonly string[] | undefined) {
    this.#book = book;
    this.#merged = merged;
  }

  /** How much the rows collected so far hold, in characters and cells. */
  get weight(): number {
    return this.#weight;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** The rows collected since the last time. */
  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    return rows;
  }

  open(name: string, attributes: string, parent: string): void {
    if (parent === 'row' && name === 'c') this.#openCell(attributes);
    else if (parent === 'c') this.#openInside(name);
    else if (parent === 'sheetData' && name === 'row') this.#openRow(attributes);
    else if (isShown(name, parent)) this.#inText = true;
    else if (parent === '' && name !== 'worksheet') throw damaged('its sheet is something else');
  }

  text(piece: string): void {
    if (!this.#inText) return;
    this.#cell.text += piece;
    this.#refuseLongRow(this.#cell.text.length);
  }

  close(name: string, parent: string): void {
    this.#inText = false;
    if (name === 'c' && parent === 'row') this.#closeCell();
    else if (name === 'row' && parent === 'sheetData') this.#closeRow();
  }

  #openRow(attributes: string): void {
    const number = attribute(attributes, 'r');
    const at = number === undefined ? this.#at + 1 : Number(number);
    if (!Number.isInteger(at) || at > MOST_ROWS) throw damaged(`it has a row ${number ?? at}`);
    if (at <= this.#at) throw damaged(`row ${at} stands behind row ${this.#at}`);
    this.#at = at;
    this.#cells = [];
    this.#column = 0;
    this.#length = 0;
  }

  #openCell(attributes: string): void {
    const address = attribute(attributes, 'r');
    const column = address === undefined ? this.#column + 1 : columnOf(address);
    if (column > MOST_COLUMNS) {
      throw new FileRefused(`has more than ${MOST_COLUMNS} columns, in row ${this.#at}`);
    }
    if (address !== undefined && (column <= this.#column || rowOf(address) !== this.#at)) {
      throw damaged(`cell ${address} is out of place in row ${this.#at}`);
    }
    this.#column = column;
    this.#cell = newCell(attributes);
  }

  #openInside(name: string): void {
    if (name === 'v') this.#cell.stored = this.#inText = true;
    if (name === 'f') this.#cell.formula = true;
  }

  #closeCell(): void {
    const value = this.#valueOf(this.#cell);
    if (value === null) return;
    while (this.#cells.length < this.#column - 1) this.#cells.push(null);
    this.#cells.push(value);
    if (typeof value === 'string') this.#length += value.length;
    this.#refuseLongRow(0);
  }

  #closeRow(): void {
    const cells = this.#cells;
    while (cells.length > 0 && !isFilled(cells.at(-1))) cells.pop();
    if (cells.length === 0) return;
    const merged = this.#merged(this.#at);
    this.#rows.push(merged ? { at: this.#at, cells, merged } : { at: this.#at, cells });
    this.#weight += this.#length + cells.length;
  }

  #valueOf(cell: StoredCell): Cell {
    try {
      return readCell(cell, this.#book);
    } catch (fault) {
      if (!(fault instanceof CellFault)) throw fault;
      throw new FileRefused(`cell ${columnName(this.#column)}${this.#at} ${fault.message}`);
    }
  }

  #refuseLongRow(more: number): void {
    if (this.#length + more > LONGEST_ROW) {
      throw new FileRefused(`has more than ${LONGEST_ROW} characters in row ${this.#at}`);
    }
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function newCell(attributes: string): StoredCell {
  return {
    type: attribute(attributes, 't') ?? 'n',
    style: Number(attribute(attributes, 's') ?? 0),
    text: '',
    formula: false,
    stored: false,
  };
}

const isFilled = (cell: Cell | undefined) =>
  typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '');

const damaged = (how: string) => new FileRefused(`is damaged: ${how}`);
