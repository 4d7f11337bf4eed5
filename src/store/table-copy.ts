/** A row of a table by the names of its columns. */
export type TableRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Reads every row of the tables of a store, as of one state of it; tokens as they are when read. */
export interface TableReader {
  rows(table: string): AsyncIterable<readonly TableRow[]>;
  /** The newest revision that the store has by now. */
  newestRevision(): Promise<number>;
  close(): Promise<void>;
}

/** Fills the tables of a store that is empty. No other process sees a row before all are kept. */
export interface TableWriter {
  insert(table: string, rows: readonly TableRow[]): Promise<void>;
  /** The rows that were inserted, as they are stored. */
  rows(table: string): AsyncIterable<readonly TableRow[]>;
  keep(): Promise<void>;
  /** Removes what was not kept. */
  close(): Promise<void>;
}
