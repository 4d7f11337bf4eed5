import type { NamedFile } from '../../formats/read-contents.ts';
import type { Mapping } from '../mapping/mapping.ts';

/** What the process of an adapter begins with; `name` is for messages. */
export interface ProcessData extends NamedFile {
  /** After this time without a record it is ended; undefined to wait for ever. */
  readonly timeoutMs?: number | undefined;
}

/** What its thread begins with. */
export interface ThreadData extends NamedFile {
  /** Shared: how many records were yielded, and how many bytes were read. */
  readonly counts: Float64Array;
}

/** A request to read a file, and to write its records to another one. */
export interface AdapterRequest {
  readonly file: NamedFile;
  readonly options: OpenFileOptions;
  readonly stagedPath: string;
}

export type OpenFileOptions = Pick<Mapping, 'format' | 'sheet' | 'encoding'>;

export type AdapterResponse =
  /** After the start: what the adapter exports as `options`. */
  | { readonly kind: 'ready'; readonly options: unknown }
  /** The bytes that were read since the last one. */
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'end' }
  | AdapterFailure;

export interface AdapterFailure {
  readonly kind: 'failure';
  /** Whether the adapter failed, and not the file that it reads. */
  readonly isOfAdapter: boolean;
  readonly message: string;
}

/** Rows of a sheet have numbers up to 2^20: positions in a workbook begin with that of the sheet. */
const ROWS_PER_SHEET = 2 ** 21;

export function encodePosition(position: number, sheetNumber = 0): number {
  return sheetNumber * ROWS_PER_SHEET + position;
}

/** The name of the sheet, and the position in it. */
export function decodePosition(
  position: number,
  sheets: readonly string[],
): { readonly at: number; readonly sheet?: string } {
  if (sheets.length === 0) return { at: position };
  const sheet = sheets[Math.floor(position / ROWS_PER_SHEET)];
  return { at: position % ROWS_PER_SHEET, ...(sheet !== undefined && { sheet }) };
}
