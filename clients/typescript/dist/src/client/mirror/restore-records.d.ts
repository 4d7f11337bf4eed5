/** A row of a table, with a value for each of its columns. */
export type Row = readonly unknown[];
/** Whether a row of a table with these columns is selected. */
export type RowSelector = (columns: readonly string[]) => (row: Row) => boolean;
export type MirrorRecord = Readonly<Record<string, unknown>>;
/** The records that a table of a dataset was made from. */
export declare function restoreRecords(dataset: string, columns: readonly string[], rows: readonly Row[]): MirrorRecord[];
