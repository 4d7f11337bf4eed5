import type { Dataset } from '../catalogue/model/dataset.ts';

/** What to read: the plan of a request, as plain data. */
export type Selection = SeriesSelection | FundSelection | QuoteSelection;

interface SelectionOptions {
  /** The revision whose records are asked for; the present ones where absent. */
  readonly asOf?: number;
  /** Whether each record comes on a line of its own, rather than with commas between them. */
  readonly asNdjson?: boolean;
  /** Whether all matches are counted, beyond those that are read. */
  readonly includeTotal?: boolean;
}

export interface SeriesSelection extends SelectionOptions {
  readonly kind: 'series';
  readonly dataset: Dataset;
}

export interface FundSelection extends SelectionOptions {
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
  /** First and last day, inclusive; without it the newest day that has a match. */
  readonly dateRange?: readonly [from: string, to: string];
  /** Where no days are asked for: a day that no match is newer than, as far as is known. */
  readonly notAfter?: string;
  readonly limit: number;
  /** Only what comes behind this place in the order of answers; `between` says up to where. */
  readonly after?: CursorPosition;
}

/** A record's place among the quotes that a request finds. */
export interface CursorPosition {
  readonly date: string;
  readonly symbol: string;
  /** What the security was found by; absent where none was asked for. */
  readonly matchedBy?: SecurityKeyColumn;
}

/** How a security is looked up: by which of the two columns. */
export type SecurityKeyColumn = 'symbol_key' | 'isin_key';
