import type { TerminalCell, TerminalColumn } from '../terminal/table.ts';

/** A response as a table for people. */
export interface QueryTable {
  /** Names and values above the table. */
  readonly attributes: readonly (readonly [name: string, value: TerminalCell])[];
  /** Lines between the attributes and the table. */
  readonly notes?: readonly string[];
  readonly columns: readonly QueryTableColumn[];
  readonly rows: readonly (readonly TerminalCell[])[];
  readonly rowNoun: string;
  /** The time of each row, if each numeric column is a time series. */
  readonly timePoints?: readonly TimePoint[];
}

export interface QueryTableColumn extends TerminalColumn {
  /** Whether 0 means no value: a price without an order, a yield that was not computed. */
  readonly isZeroMissing?: boolean;
}

/** A point in time: consecutive periods have consecutive ordinals. */
export interface TimePoint {
  readonly label: string;
  readonly ordinal: number;
}
