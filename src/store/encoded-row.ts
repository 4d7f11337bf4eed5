/** The values of a table's key columns, in the table's order. */
export type RecordKey = readonly (string | number)[];

/** A record ready to be stored: the values of the table's columns, in order, and its JSON. */
export interface EncodedRow {
  readonly columns: readonly (string | number)[];
  readonly json: string;
}
