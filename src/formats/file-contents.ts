/**
 * What a file holds, whatever its format: rows of cells, or items that carry their own names.
 * Nothing in this room knows of datasets.
 */
export type FileContents = CellTable | ItemStream;

/** What a place in a file is called: CSV has lines, a spreadsheet rows, a JSON list records. */
export type LocationUnit = 'line' | 'row' | 'record';

/** Rows of cells, title rows and header included: which row names the columns is not known here. */
export interface CellTable {
  readonly kind: 'table';
  readonly locationUnit: LocationUnit;
  /** What stands between the cells of a text; absent where the format has no need of it. */
  readonly delimiter?: string;
  /** In batches; rows without any filled cell are left out, places count them all the same. */
  readonly rows: AsyncIterable<readonly CellRow[]>;
}

export interface CellRow {
  /** Where it stands: 1 for the first line of the file, or the first row of the sheet. */
  readonly position: number;
  /** Null where the format itself says that there is no value; CSV's blanks are empty text. */
  readonly cells: readonly FileCell[];
  /** Merged ranges that this row is a part of, such as `B3:C3`; absent where there are none. */
  readonly merged?: readonly string[];
}

/**
 * Dates are text: `YYYY-MM-DD`, with `THH:MM:SS` behind it only where there is a time of day. So is
 * what a spreadsheet shows as a percentage, in all its digits: `13.5%` for a stored 0.135.
 */
export type FileCell = string | number | null;

/** Values with names of their own: what stands in a JSON list, or on a line of NDJSON. */
export interface ItemStream {
  readonly kind: 'items';
  readonly locationUnit: LocationUnit;
  readonly items: AsyncIterable<readonly FileItem[]>;
}

export interface FileItem {
  /** The number of its line, or of the record in the file: 1 for the first. */
  readonly position: number;
  /** Where places are records: the line that it begins on. */
  readonly line?: number;
  readonly value: unknown;
}

/** A file that cannot be read as what it is said to be; the message is one line for a person. */
export class InvalidFileError extends Error {}

/** A file on disk, and the name that messages give it. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A file to be read: from its start, or anywhere in it. Compression is already undone. */
export interface FileInput {
  /** The bytes from the start, in pieces. */
  readBytes(): AsyncIterable<Uint8Array>;
  /** The path of a file with those bytes: the file itself, or a temporary one. */
  getPath(): Promise<string>;
  /** Removes what was made on the way. */
  close(): void;
}

export const FILE_FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A table to be written. */
export interface TableToWrite {
  /** A name for the whole: a spreadsheet shows it on the sheet's tab. */
  readonly title: string;
  readonly columns: readonly OutputColumn[];
  /** In batches; a row has a cell for every column. */
  readonly rows: AsyncIterable<readonly (readonly FileCell[])[]>;
}

export interface OutputColumn {
  readonly name: string;
  /** A day is text as `YYYY-MM-DD`; formats that have dates write it as one. */
  readonly type: 'text' | 'number' | 'integer' | 'day';
}

/** Writes a table in one format, piece by piece. */
export type TableWriter = (writing: TableToWrite) => AsyncIterable<Uint8Array>;
