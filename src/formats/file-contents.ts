import { escapeControls } from '../shared/control-characters.ts';
import { type FormatWith, listFormats } from '../shared/formats.ts';
import type { TextOptions } from './text-encoding.ts';

/** Rows of cells, or items with named values. Nothing in this folder depends on datasets. */
export type FileContents = CellTable | ItemStream;

/** The unit of positions in a file: CSV has lines, a spreadsheet rows, a JSON list records. */
export type LocationUnit = 'line' | 'row' | 'record';

/** Rows of cells, including title rows and the header. */
export interface CellTable {
  readonly kind: 'table';
  readonly locationUnit: LocationUnit;
  /** Whether people may have written notes below the data. */
  readonly isSpreadsheet?: true;
  /** Of delimited text. */
  readonly delimiter?: string;
  /** In batches, without blank rows; positions count those all the same. */
  readonly rows: AsyncIterable<readonly CellRow[]>;
}

export interface CellRow {
  /** 1 for the first line of the file, or the first row of the sheet. */
  readonly position: number;
  /** Null where the format itself says that there is no value; blanks of CSV are empty text. */
  readonly cells: readonly FileCell[];
  /** The merged ranges of this row, such as `B3:C3`; absent where there are none. */
  readonly merged?: readonly string[];
}

/**
 * Dates are text: `YYYY-MM-DD`, followed by `THH:MM:SS` only where there is a time of day. So are
 * percentages of a spreadsheet, with all digits: `13.5%` for a stored 0.135.
 */
export type FileCell = string | number | null;

/** The values in a JSON list, or on the lines of NDJSON. */
export interface ItemStream {
  readonly kind: 'items';
  readonly locationUnit: LocationUnit;
  /** Whether texts may be cells, whose decimal sign is unknown. */
  readonly hasCells?: true;
  readonly items: AsyncIterable<readonly FileItem[]>;
}

export interface FileItem {
  /** The number of its line, or of the record in the file: 1 for the first. */
  readonly position: number;
  /** Where the unit is a record: its first line. */
  readonly line?: number;
  /** The names of its members, if those are read on their own: the value then is the list of theirs. */
  readonly names?: readonly string[];
  readonly value: unknown;
}

/** A file that cannot be read in its format; the message is one line for a person. */
export class InvalidFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    // It may quote what a damaged file has in the place of a name.
    super(escapeControls(message), options);
  }
}

/** A file on disk, and the name that messages give it. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A decompressed file, to be read from its start or at any position. */
export interface FileInput {
  /** How its text is decoded, if it is text. */
  readonly text?: TextOptions | undefined;
  /** How its name ends, without that of its compression: `.parquet`. */
  readonly extension?: string;
  readBytes(): AsyncIterable<Uint8Array>;
  /** The path of a file with those bytes: the file itself, or a temporary one. */
  getPath(): Promise<string>;
  close(): void;
}

export type FileFormat = FormatWith<{ isFile: true }>;
export const FILE_FORMATS = listFormats<FileFormat>(({ uses }) => uses.isFile);

/** Rejects an encoding that was given for a file without text. */
export function assertNoEncoding({ text }: FileInput, format: FileFormat): void {
  if (text?.encoding !== undefined)
    throw new InvalidFileError(`has no encoding to choose: it is read as ${format}`);
}

export interface TableToWrite {
  /** The name of the sheet in a spreadsheet. */
  readonly title: string;
  readonly columns: readonly OutputColumn[];
  /** In batches; a row has a cell for every column. */
  readonly rows: AsyncIterable<readonly (readonly FileCell[])[]>;
  /** Metadata of the table, where the format has a place for it; called after the last row. */
  readonly metadata?: () => readonly MetadataLine[];
  /** Whether columns say their units, in a format that can leave them out. */
  readonly tellsUnits?: boolean;
}

/** A line about a table. */
export type MetadataLine = readonly [label: string, value: string | number];

export interface OutputColumn {
  readonly name: string;
  readonly description?: string;
  readonly unit?: string;
  /**
   * A day is text as `YYYY-MM-DD`, a boolean `true` or `false`; formats that have dates or booleans
   * write them as such.
   */
  readonly type: 'text' | 'number' | 'integer' | 'day' | 'boolean';
}

/** Writes a table in one format, in chunks. */
export type TableWriter = (table: TableToWrite) => AsyncIterable<Uint8Array>;
