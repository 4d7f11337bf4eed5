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

const MAX_ROW_CHARACTERS = 4 * 1_048_576;
/** The columns between a cell and all others of a sheet. */
const MAX_DISTANCE = 1_000;
/** Blank cells to the left of others take memory, and forty characters of a file make sixteen thousand. */
const FREE_BLANK_CELLS = 10_000;
const MAX_BLANK_RATIO = 100;

/** Collects the filled rows of a sheet while its XML is read. */
export class SheetReader implements XmlReader {
  #rows: CellRow[] = [];
  /** The size of the collected rows, in characters and cells. */
  weight = 0;
  #rowNumber = 0;
  #cells: FileCell[] = [];
  #column = 0;
  #cell = createCell('');
  #rowLength = 0;
  #isInText = false;
  #filledCells = 0;
  #width = 0;
  #blankCells = 0;

  constructor(
    private readonly context: WorkbookContext,
    private readonly findMergedRanges: (row: number) => readonly string[] | undefined,
  ) {}

  get count(): number {
    return this.#rows.length;
  }

  takeRows(): readonly CellRow[] {
    const rows = this.#rows;
    this.#rows = [];
    this.weight = 0;
    return rows;
  }

  open(name: string, attributes: string, parent: string): void {
    if (parent === 'row' && name === 'c') this.#openCell(attributes);
    else if (parent === 'c') {
      if (name === 'v') this.#cell.hasValueElement = this.#isInText = true;
      if (name === 'f') this.#cell.isFormula = true;
    } else if (parent === 'sheetData' && name === 'row') this.#openRow(attributes);
    else if (isVisibleText(name, parent)) this.#isInText = true;
    else if (parent === '' && name !== 'worksheet')
      throw createDamagedError('its sheet is something else');
  }

  text(chunk: string): void {
    if (!this.#isInText) return;
    this.#cell.text += chunk;
    this.#assertRowLength(this.#cell.text.length);
  }

  close(name: string, parent: string): void {
    this.#isInText = false;
    if (name === 'c' && parent === 'row') this.#closeCell();
    else if (name === 'row' && parent === 'sheetData') this.#closeRow();
  }

  #openRow(attributes: string): void {
    const attribute = readAttribute(attributes, 'r');
    const row = attribute === undefined ? this.#rowNumber + 1 : Number(attribute);
    if (!Number.isInteger(row) || row > MAX_ROWS)
      throw createDamagedError(`it has a row ${attribute ?? row}`);
    if (row <= this.#rowNumber)
      throw createDamagedError(`row ${row} comes after row ${this.#rowNumber}`);
    this.#rowNumber = row;
    this.#cells = [];
    this.#column = 0;
    this.#rowLength = 0;
  }

  #openCell(attributes: string): void {
    const address = readAttribute(attributes, 'r');
    const column = address === undefined ? this.#column + 1 : parseColumnNumber(address);
    if (column > MAX_COLUMNS)
      throw new InvalidFileError(`has more than ${MAX_COLUMNS} columns, in row ${this.#rowNumber}`);
    if (
      address !== undefined &&
      (column <= this.#column || parseRowNumber(address) !== this.#rowNumber)
    ) {
      throw createDamagedError(`cell ${address} is out of place in row ${this.#rowNumber}`);
    }
    this.#column = column;
    this.#cell = createCell(attributes);
  }

  #closeCell(): void {
    const value = this.#readCell(this.#cell);
    if (value === null) return;
    this.#assertNotFar();
    while (this.#cells.length < this.#column - 1) this.#cells.push(null);
    this.#cells.push(value);
    if (typeof value === 'string') this.#rowLength += value.length;
    this.#assertRowLength(0);
  }

  #closeRow(): void {
    const cells = this.#cells;
    while (cells.length > 0 && !isNonBlankCell(cells.at(-1))) cells.pop();
    if (cells.length === 0) return;
    const merged = this.findMergedRanges(this.#rowNumber);
    const row = { position: this.#rowNumber, cells };
    this.#rows.push(merged ? { ...row, merged } : row);
    this.weight += this.#rowLength + cells.length;
  }

  /** Rejects a lone cell at the right, which would make its row, and a table, as wide as a sheet can be. */
  #assertNotFar(): void {
    this.#filledCells += 1;
    this.#blankCells += this.#column - 1 - this.#cells.length;
    const distance = this.#column - Math.max(this.#width, this.#cells.length);
    this.#width = Math.max(this.#width, this.#column);
    if (
      distance <= MAX_DISTANCE &&
      this.#blankCells <= FREE_BLANK_CELLS + MAX_BLANK_RATIO * this.#filledCells
    )
      return;
    throw new InvalidFileError(
      `has cell ${formatColumnName(this.#column)}${this.#rowNumber} far from all others; clear it, and save the workbook again`,
    );
  }

  #readCell(cell: RawCell): FileCell {
    try {
      return readCell(cell, this.context);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      throw new InvalidFileError(
        `cell ${formatColumnName(this.#column)}${this.#rowNumber} ${error.message}`,
      );
    }
  }

  #assertRowLength(cellLength: number): void {
    if (this.#rowLength + cellLength > MAX_ROW_CHARACTERS)
      throw new InvalidFileError(
        `has more than ${MAX_ROW_CHARACTERS} characters in row ${this.#rowNumber}`,
      );
  }
}

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

const createDamagedError = (reason: string) => new InvalidFileError(`is damaged: ${reason}`);
