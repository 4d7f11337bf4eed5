import type { quotes } from './datasets/quotes.ts';

interface QuoteParameter {
  /** Whether it decides which quotes match, rather than their days, their order, or how they are shown. */
  readonly isFilter: boolean;
  /** Whether it selects the states of quotes, too. */
  readonly isOfVintages: boolean;
}

export const QUOTE_PARAMETERS = {
  symbol: { isFilter: true, isOfVintages: true },
  type: { isFilter: true, isOfVintages: true },
  date: { isFilter: false, isOfVintages: true },
  from: { isFilter: false, isOfVintages: true },
  to: { isFilter: false, isOfVintages: true },
  sort: { isFilter: false, isOfVintages: true },
  limit: { isFilter: false, isOfVintages: true },
  cursor: { isFilter: false, isOfVintages: true },
  order: { isFilter: false, isOfVintages: false },
  compare: { isFilter: false, isOfVintages: false },
  fields: { isFilter: false, isOfVintages: true },
  as_of: { isFilter: false, isOfVintages: true },
  format: { isFilter: false, isOfVintages: true },
} as const satisfies Readonly<Record<keyof typeof quotes.parameters, QuoteParameter>>;

/** The names of those that select the states of quotes. */
export const VINTAGE_PARAMETERS: ReadonlySet<string> = new Set(
  Object.entries(QUOTE_PARAMETERS).flatMap(([name, { isOfVintages }]) =>
    isOfVintages ? [name] : [],
  ),
);

/** The names of the parameters that are filters. */
export type QuoteFilterParameter = {
  [Name in keyof typeof QUOTE_PARAMETERS]: (typeof QUOTE_PARAMETERS)[Name]['isFilter'] extends true
    ? Name
    : never;
}[keyof typeof QUOTE_PARAMETERS];
