import type { PagedOperation } from './paged-operation.ts';
interface SymbolParameters {
    readonly symbol?: string | readonly string[] | undefined;
    readonly sort?: 'asc' | 'desc' | undefined;
    readonly cursor?: string | undefined;
}
interface QuoteKey {
    readonly date: string;
    readonly symbol: string;
}
/**
 * The operation, whose `all` takes any number of symbols: more than 50 are read by several requests
 * from the revision of the first one, and merged in the order of the service.
 */
export declare function withSymbolBatches<T extends QuoteKey, P extends SymbolParameters>(operation: PagedOperation<T, P>, selectRevision: (revision: number) => PagedOperation<T, P>): PagedOperation<T, P>;
/** Newest date first, then by symbol. */
export declare function compareQuotes(a: QuoteKey, b: QuoteKey): number;
export {};
