import { escapeControls } from '../shared/control-characters.ts';
import { type FormatWith, listFormats } from '../shared/formats.ts';
import type { TextOptions } from './text-encoding.ts';

/** Rows of cells, or items with named values. Nothing in this folder depends on datasets. */
export type FileContents = CellTable | ItemStream;

/** The unit of positions in a file: lines in CSV, rows in a spreadsheet, records in a JSON list. */
export type LocationUnit = 'line' | 'row' | 'record';

/** Rows of cells, including title rows and the header. */
export interface CellTable {
  readonly kind: 'table';
  readonly locationUnit: LocationUnit;
  readonly isSpreadsheet?: true;
  /** Set for delimited text. */
  readonly delimiter?: string;
  /** In batches, without blank rows, which positions still count. */
  readonly rows: AsyncIterable<readonly CellRow[]>;
}

export interface CellRow {
  /** 1 for the first line of the file, or the first row of the sheet. */
  readonly position: number;
  /** Null if the format itself marks the value as missing; blank CSV cells are empty text. */
  readonly cells: readonly FileCell[];
  /** The merged ranges of this row, such as `B3:C3`; absent if there are none. */
  readonly merged?: readonly string[];
}

/**
 * Dates are text: `YYYY-MM-DD`, followed by `THH:MM:SS` only if there is a time of day. Percentages of a
 * spreadsheet are text too, with all digits: `13.5%` for a stored 0.135.
 */
export type FileCell = string | number | null;

/** The values in a JSON list, or on the lines of NDJSON. */
export interface ItemStream {
  readonly kind: 'items';
  readonly locationUnit: LocationUnit;
  /** Whether texts may be cells with an unknown decimal sign. */
  readonly hasCells?: true;
  /** Whether items may change parts of records, so that they lack what a new record needs. */
  readonly isPartial?: true;
  readonly items: AsyncIterable<readonly FileItem[]>;
}

export interface FileItem {
  /** The number of its line, or of the record in the file: 1 for the first. */
  readonly position: number;
  /** The first line of the record, if the unit is a record. */
  readonly line?: number;
  /** The names of its members, if those are read separately: `value` is then the list of their values. */
  readonly names?: readonly string[];
  readonly value: unknown;
  /** Absent if the item is all of its record. */
  readonly change?: ItemChange;
}

/** What an item does to the record that has its key. */
export interface ItemChange {
  /** Whether the record keeps what the item does not name. */
  readonly isMerge: boolean;
  /** Whether a record that is left without figures is no more. */
  readonly isDeletion: boolean;
  /** The figures that it is to have no more. */
  readonly blanked: ReadonlySet<string>;
  /** The statuses of figures; those of others stay. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** A file that cannot be read in its format; the message is a single line for people. */
export class InvalidFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    // It may quote arbitrary bytes of a damaged file.
    super(escapeControls(message), options);
  }
}

/** A file on disk, and its name in messages. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A decompressed file that can be read from the start or at any position. */
export interface FileInput {
  /** How its text is decoded, if it is text. */
  readonly text?: TextOptions | undefined;
  /** The extension of its name, such as `.parquet`, without that of a compression. */
  readonly extension?: string;
  readBytes(): AsyncIterable<Uint8Array>;
  /** The path of a file with these bytes: the file itself, or a temporary one. */
  getPath(): Promise<string>;
  close(): void;
}

export type FileFormat = FormatWith<{ isFile: true }>;
export const FILE_FORMATS = listFormats<FileFormat>(({ uses }) => uses.isFile);

/** Rejects an encoding given for a file that is not text. */
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
  /** Metadata of the table, for formats that can hold it; called after the last row. */
  readonly metadata?: () => readonly MetadataLine[];
  /** Whether columns include their units, in formats where units are optional. */
  readonly tellsUnits?: boolean;
}

export type MetadataLine = readonly [label: string, value: string | number];

export interface OutputColumn {
  readonly name: string;
  readonly description?: string;
  readonly unit?: string;
  /** How many decimals numbers are shown with at least. */
  readonly decimals?: number;
  /**
   * A day is text as `YYYY-MM-DD`, a boolean `true` or `false`; formats with dates or booleans write native
   * ones.
   */
  readonly type: 'text' | 'number' | 'integer' | 'day' | 'boolean';
}

export type FormatWriter = (table: TableToWrite) => AsyncIterable<Uint8Array>;
