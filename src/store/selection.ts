import type { Dataset } from '../catalogue/dataset.ts';

/** What to read: the plan of a request, as plain data. */
export type Selection = WholeSeries | OneFund | Quotes;

interface Past {
  /** The revision whose records are asked for; the present ones where absent. */
  readonly asOf?: number;
}

export interface WholeSeries extends Past {
  readonly find: 'series';
  readonly dataset: Dataset;
}

export interface OneFund extends Past {
  readonly find: 'fund';
  readonly dataset: Dataset;
  readonly id: string;
}

export interface Quotes extends Past {
  readonly find: 'quotes';
  readonly dataset: Dataset;
  /** A symbol or an ISIN; a symbol wins. */
  readonly security?: string;
  readonly type?: string;
  /** First and last day, inclusive; without it the newest day that has a match. */
  readonly between?: readonly [from: string, to: string];
  /** Where no days are asked for: a day that no match is newer than, as far as is known. */
  readonly until?: string;
  readonly limit: number;
}
