import type { QuotesParameters, QuotesRecord } from '../generated.ts';
export type QuoteFilters = Pick<QuotesParameters, 'symbol' | 'type' | 'date' | 'from' | 'to' | 'sort'>;
/** The quotes of a month, or of several one after the other. */
type ReadMonths = (isSelected: (month: string) => boolean) => AsyncIterable<readonly QuotesRecord[]>;
/** The quotes that a service would send, from months that are read newest first. */
export declare function selectQuotes(filters: QuoteFilters, readMonths: ReadMonths): Promise<QuotesRecord[]>;
export {};
