import type { SqlRows } from './sql/query-steps.ts';

/** A row of a table by the names of its columns. */
export type TableRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Reads every row of the tables of a store, as of one state of it; tokens as they are at the time. */
export interface TableReader {
  rows(table: string): AsyncIterable<SqlRows>;
  close(): void;
}

/** Fills the tables of an empty store. No other process sees a row before the commit. */
export interface TableWriter extends TableReader {
  insert(table: string, rows: readonly TableRow[]): Promise<void>;
  commit(): Promise<void>;
  /** Removes what was not committed. */
  close(): void;
}
