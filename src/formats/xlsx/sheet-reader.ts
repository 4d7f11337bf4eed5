import { type CellRow, type FileCell, InvalidFileError } from '../file-contents.ts';
import { readAttribute } from '../xml/xml-attributes.ts';
import type { XmlReader } from '../xml/xml-scanner.ts';
import {
  formatColumnName,
  MAX_COLUMNS,
  MAX_ROWS,
  parseColumnNumber,
  parseRowNumber,
} from './cell-address.ts';
import { CellError, type RawCell, readCell, type WorkbookContext } from './read-cell.ts';
import { isVisibleText } from './shared-strings.ts';

/** Characters of a row, all cells together. */
const MAX_ROW_CHARACTERS = 4 * 1_048_576;

/** Collects the filled rows of a sheet while its XML is read. */
export class SheetReader implements XmlReader {
  readonly #book: WorkbookContext;
  readonly #merged: (row: number) => readonly string[] | undefined;
  #rows: CellRow[] = [];
  #weight = 0;
  #at = 0;
  #cells: FileCell[] = [];
  #column = 0;
  #cell: Mutable<RawCell> = createCell('');
  /** Characters of the row so far. */
  #length = 0;
  #inText = false;

  constructor(book: WorkbookContext, merged: (row: number) => readonly string[] | undefined) {
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
  take(): readonly CellRow[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    return rows;
  }

  open(name: string, attributes: string, parent: string): void {
    if (parent === 'row' && name === 'c') this.#openCell(attributes);
    else if (parent === 'c') this.#openInside(name);
    else if (parent === 'sheetData' && name === 'row') this.#openRow(attributes);
    else if (isVisibleText(name, parent)) this.#inText = true;
    else if (parent === '' && name !== 'worksheet')
      throw createDamagedError('its sheet is something else');
  }

  text(chunk: string): void {
    if (!this.#inText) return;
    this.#cell.text += chunk;
    this.#refuseLongRow(this.#cell.text.length);
  }

  close(name: string, parent: string): void {
    this.#inText = false;
    if (name === 'c' && parent === 'row') this.#closeCell();
    else if (name === 'row' && parent === 'sheetData') this.#closeRow();
  }

  #openRow(attributes: string): void {
    const number = readAttribute(attributes, 'r');
    const at = number === undefined ? this.#at + 1 : Number(number);
    if (!Number.isInteger(at) || at > MAX_ROWS)
      throw createDamagedError(`it has a row ${number ?? at}`);
    if (at <= this.#at) throw createDamagedError(`row ${at} stands behind row ${this.#at}`);
    this.#at = at;
    this.#cells = [];
    this.#column = 0;
    this.#length = 0;
  }

  #openCell(attributes: string): void {
    const address = readAttribute(attributes, 'r');
    const column = address === undefined ? this.#column + 1 : parseColumnNumber(address);
    if (column > MAX_COLUMNS) {
      throw new InvalidFileError(`has more than ${MAX_COLUMNS} columns, in row ${this.#at}`);
    }
    if (address !== undefined && (column <= this.#column || parseRowNumber(address) !== this.#at)) {
      throw createDamagedError(`cell ${address} is out of place in row ${this.#at}`);
    }
    this.#column = column;
    this.#cell = createCell(attributes);
  }

  #openInside(name: string): void {
    if (name === 'v') this.#cell.hasValueElement = this.#inText = true;
    if (name === 'f') this.#cell.isFormula = true;
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
    while (cells.length > 0 && !isNonBlankCell(cells.at(-1))) cells.pop();
    if (cells.length === 0) return;
    const merged = this.#merged(this.#at);
    this.#rows.push(merged ? { position: this.#at, cells, merged } : { position: this.#at, cells });
    this.#weight += this.#length + cells.length;
  }

  #valueOf(cell: RawCell): FileCell {
    try {
      return readCell(cell, this.#book);
    } catch (fault) {
      if (!(fault instanceof CellError)) throw fault;
      throw new InvalidFileError(
        `cell ${formatColumnName(this.#column)}${this.#at} ${fault.message}`,
      );
    }
  }

  #refuseLongRow(more: number): void {
    if (this.#length + more > MAX_ROW_CHARACTERS) {
      throw new InvalidFileError(
        `has more than ${MAX_ROW_CHARACTERS} characters in row ${this.#at}`,
      );
    }
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function createCell(attributes: string): RawCell {
  return {
    type: readAttribute(attributes, 't') ?? 'n',
    style: Number(readAttribute(attributes, 's') ?? 0),
    text: '',
    isFormula: false,
    hasValueElement: false,
  };
}

const isNonBlankCell = (cell: FileCell | undefined) =>
  typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '');

const createDamagedError = (how: string) => new InvalidFileError(`is damaged: ${how}`);
