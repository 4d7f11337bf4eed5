import type { TerminalCell, TerminalColumn } from '../terminal/table.ts';

/** What an answer says, as a table for people. */
export interface QueryTable {
  /** What is said once, above the table. */
  readonly attributes: readonly (readonly [name: string, value: TerminalCell])[];
  /** Lines that stand between that and the table, as a whole. */
  readonly notes?: readonly string[];
  readonly columns: readonly QueryTableColumn[];
  readonly rows: readonly (readonly TerminalCell[])[];
  /** What a row is called. */
  readonly rowNoun: string;
  /** Where the rows stand in time, if the figures of a column are a series. */
  readonly timePoints?: readonly TimePoint[];
}

export interface QueryTableColumn extends TerminalColumn {
  /** Whether a 0 stands for no value: on the board, no order and a yield that was not computed. */
  readonly isZeroMissing?: boolean;
}

/** A point in time: those that follow one another have places that do. */
export interface TimePoint {
  readonly label: string;
  readonly ordinal: number;
}
