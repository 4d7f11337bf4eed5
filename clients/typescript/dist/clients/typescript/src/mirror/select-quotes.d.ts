import type { QuotesParameters, QuotesRecord } from '../../../../src/client/generated.ts';
import type { RowSelector } from '../../../../src/client/mirror/restore-records.ts';
export type QuoteFilters = Pick<QuotesParameters, 'symbol' | 'type' | 'date' | 'from' | 'to' | 'sort'>;
/** The quotes of each month; only those of these rows. */
type ReadMonths = (isSelected: (month: string) => boolean, selectRows: RowSelector | undefined) => AsyncIterable<readonly QuotesRecord[]>;
/** The quotes that a service would send, from months that are read newest first. */
export declare function selectQuotes(filters: QuoteFilters, readMonths: ReadMonths): Promise<QuotesRecord[]>;
export {};
