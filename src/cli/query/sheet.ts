import type { Cell, Column } from '../terminal/table.ts';

/** What an answer says, as a table for people. */
export interface Sheet {
  /** What is said once, above the table. */
  readonly about: readonly (readonly [name: string, value: Cell])[];
  /** Lines that stand between that and the table, as a whole. */
  readonly notes?: readonly string[];
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a row is called. */
  readonly row: string;
  /** Where the rows stand in time, if the figures of a column are a series. */
  readonly times?: readonly Time[];
}

export interface SheetColumn extends Column {
  /** Whether a 0 stands for no value: on the board, no order and a yield that was not computed. */
  readonly zeroIsNone?: boolean;
}

/** A point in time: those that follow one another have places that do. */
export interface Time {
  readonly label: string;
  readonly place: number;
}
