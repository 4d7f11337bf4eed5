import type { DetectedEncoding, LocationUnit, NamedFile } from '../../formats/read-contents.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { EncodedItems } from './batch-encoding.ts';

/** Requests to the thread of an adapter; each request has one response. */
export type AdapterRequest =
  | { readonly kind: 'read'; readonly file: NamedFile; readonly options: OpenFileOptions }
  | { readonly kind: 'next' };

export type OpenFileOptions = Pick<Mapping, 'format' | 'sheet' | 'encoding'>;

export type AdapterResponse =
  /** After the start: what the adapter exports as `options`. */
  | { readonly kind: 'ready'; readonly options: unknown }
  | AdapterBatch
  | { readonly kind: 'end' }
  | AdapterFailure;

/** The part of the file that was read since the batch before. */
export interface ReadingProgress {
  readonly bytes: number;
  /** The encoding of its text where it was found and is not UTF-8. */
  readonly detected?: DetectedEncoding | undefined;
}

/** Records in their order. */
export interface AdapterBatch extends ReadingProgress {
  readonly kind: 'batch';
  readonly unit: LocationUnit;
  /** The names of the sheets that positions name by their numbers. */
  readonly sheets: readonly string[];
  readonly items: EncodedItems;
}

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
