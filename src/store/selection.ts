import type { Dataset } from '../catalogue/model/dataset.ts';

/** The records to read for a request. */
export type Selection = SeriesSelection | FundSelection | QuoteSelection;

interface SelectionOptions {
  /** A revision; the current records where absent. */
  readonly asOf?: number;
  /** Whether records are separated by newlines rather than commas. */
  readonly asNdjson?: boolean;
  /** Whether all matches are counted, beyond the limit. */
  readonly includeTotal?: boolean;
}

interface SeriesSelection extends SelectionOptions {
  readonly kind: 'series';
  readonly dataset: Dataset;
}

interface FundSelection extends SelectionOptions {
  readonly kind: 'fund';
  readonly dataset: Dataset;
  readonly id: string;
}

export interface QuoteSelection extends SelectionOptions {
  readonly kind: 'quotes';
  readonly dataset: Dataset;
  /** A symbol or an ISIN; a symbol wins. */
  readonly security?: string;
  readonly type?: string;
  /** First and last day, inclusive; by default the newest day that has a match. */
  readonly dateRange?: readonly [from: string, to: string];
  /** Without a date range: a day that no match is newer than. */
  readonly notAfter?: string;
  readonly limit: number;
  /** Only the records after this position in the order of responses; needs a date range. */
  readonly after?: CursorPosition;
}

/** A record's position among the quotes of a response. */
export interface CursorPosition {
  readonly date: string;
  readonly symbol: string;
  /** The column that the security was found by, if the selection has one. */
  readonly matchedBy?: SecurityKeyColumn;
}

/** The column that a security is looked up by. */
export type SecurityKeyColumn = 'symbol_key' | 'isin_key';
