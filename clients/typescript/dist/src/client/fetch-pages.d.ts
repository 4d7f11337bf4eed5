import type { ResponseMeta, TenorResponse } from './response-meta.ts';
/**
 * The first page and those that follow it, each requested when it is needed. Throws if a page
 * cannot be read, so that the last one is never missed.
 */
export declare function fetchPages<Page extends {
    readonly meta: ResponseMeta;
}>(first: URL, readPage: (url: URL) => Promise<Page>): AsyncGenerator<Page, void, undefined>;
type Page<T> = Pick<TenorResponse<readonly T[]>, 'data'>;
/** The records of all pages, in order. Each iteration requests the pages again. */
export declare class RecordStream<T> implements AsyncIterable<T> {
    #private;
    constructor(pages: () => AsyncIterable<Page<T>>);
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
    /** All records at once. */
    toArray(): Promise<T[]>;
}
export {};
