import type { CellRow, FileCell } from '../../formats/read-contents.ts';
import { createColumnIndex, type FindColumn } from '../mapping/column-names.ts';

/** Where something stands in the opened file: a row, a line, or a value of JSON. */
export interface Location {
  /** The number of the line, of the row of a sheet, or of the JSON value: 1 for the first. */
  readonly position: number;
  /** The line of a JSON value. */
  readonly line?: number;
  /** The number of the sheet of a workbook with several. */
  readonly sheetNumber?: number;
}

/** The names in the header of a table. */
export class Columns {
  readonly #find: FindColumn;
  readonly #indexes = new Map<string, number>();

  constructor(readonly names: readonly string[]) {
    this.#find = createColumnIndex(names);
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** Throws if no column, or more than one, has the name. */
  getIndex(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#find(name);
    const names = this.names.filter((column) => column !== '').join(', ');
    if (index === undefined)
      throw new TypeError(
        `there is no column "${name}"; there ${names ? `are ${names}` : 'are none'}`,
      );
    if (index === 'ambiguous') throw new TypeError(`two columns are called "${name}": ${names}`);
    this.#indexes.set(name, index);
    return index;
  }
}

/** The sheet of a row; without a name if the file is no workbook. */
export interface SheetReference {
  readonly name?: string;
  readonly number: number;
}

/** A row of a file as it stands: blank rows are left out, blank cells are not. */
export class Row implements Location {
  /** Texts, numbers, or null; dates are text as `YYYY-MM-DD`, percentages as `13.5%`. */
  readonly cells: readonly FileCell[];
  readonly position: number;
  readonly #sheet: SheetReference;
  readonly #columns: Columns;

  constructor({ cells, position }: CellRow, sheet: SheetReference, columns: Columns) {
    this.cells = cells;
    this.position = position;
    this.#sheet = sheet;
    this.#columns = columns;
  }

  /** The name of its sheet, if the file is a workbook. */
  get sheet(): string | undefined {
    return this.#sheet.name;
  }

  get sheetNumber(): number {
    return this.#sheet.number;
  }

  /** The names in the header, if the row is one of a table. */
  get columns(): readonly string[] {
    return this.#columns.names;
  }

  /** The cell of a column, by its name in the header or its index from 0; null if there is none. */
  get(column: string | number): FileCell {
    const index = typeof column === 'number' ? column : this.#columns.getIndex(column);
    return this.cells[index] ?? null;
  }

  /** The cell as text, without space around it; empty if there is none. */
  text(column: string | number): string {
    return String(this.get(column) ?? '').trim();
  }
}

/**
 * The cells of a row that stand below names of one kind, such as periods: `getName` turns the name of
 * a column into that of the cell, or leaves the column out with undefined.
 */
export function unpivot<Name>(
  row: Row,
  getName: (column: string) => Name | undefined,
): { readonly name: Name; readonly value: FileCell }[] {
  return row.columns.flatMap((column, index) => {
    const name = column === '' ? undefined : getName(column);
    return name === undefined ? [] : [{ name, value: row.get(index) }];
  });
}

const recordLocations = new WeakMap<object, Location>();

/**
 * Says where a record comes from, if that is not the row which the adapter read last:
 * `yield at(row, { … })`. Returns the record.
 */
export function at<T extends object>(location: Location, record: T): T {
  recordLocations.set(record, location);
  return record;
}

export function findRecordLocation(record: unknown): Location | undefined {
  return typeof record === 'object' && record !== null ? recordLocations.get(record) : undefined;
}
