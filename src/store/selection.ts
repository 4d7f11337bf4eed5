import type { Dataset } from '../catalogue/dataset.ts';

/** What to read: the plan of a request, as plain data. */
export type Selection = WholeSeries | OneFund | Quotes;

export interface WholeSeries {
  readonly find: 'series';
  readonly dataset: Dataset;
}

export interface OneFund {
  readonly find: 'fund';
  readonly dataset: Dataset;
  readonly id: string;
}

export interface Quotes {
  readonly find: 'quotes';
  readonly dataset: Dataset;
  /** A symbol or an ISIN; a symbol wins. */
  readonly security?: string;
  readonly type?: string;
  /** First and last day, inclusive; without it the newest day that has a match. */
  readonly between?: readonly [from: string, to: string];
  readonly limit: number;
}
