import { RecordStream } from '../../../src/client/fetch-pages.ts';
import type { RevisionParameters, RevisionRecord } from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
/** A record before and after a revision. */
export type RevisionChange = RevisionRecord['changes'][number];
/** One revision with its changes, which come in pages. */
export interface RevisionOperation {
    /**
     * The revision with at most `limit` of its changes, 100 by default; `meta.hasMore` tells whether
     * it has more.
     */
    (n: number, parameters?: RevisionParameters, options?: CallOptions): Promise<TenorResponse<RevisionRecord>>;
    /** The revision again and again, each time with the next changes, at most `limit`. */
    pages(n: number, parameters?: RevisionParameters, options?: CallOptions): AsyncGenerator<TenorResponse<RevisionRecord>, void, undefined>;
    /** Every change of the revision, from all pages; `limit` is the size of a page. */
    all(n: number, parameters?: RevisionParameters, options?: CallOptions): RecordStream<RevisionChange>;
}
interface RevisionSource {
    url(n: number, parameters: RevisionParameters | undefined): URL;
    read(url: URL, options: CallOptions): Promise<TenorResponse<unknown>>;
    /** The default parameters of `pages` and `all`. */
    readonly allPagesDefaults: RevisionParameters;
}
export declare function createRevisionOperation({ url, read, allPagesDefaults, }: RevisionSource): RevisionOperation;
export {};
