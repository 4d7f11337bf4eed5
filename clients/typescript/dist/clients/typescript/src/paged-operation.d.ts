import { RecordStream } from '../../../src/client/fetch-pages.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
/** An operation whose response is a list, in pages. */
export interface PagedOperation<T, Parameters> {
    /** One page of at most `limit` records; `meta.hasMore` tells whether there are more. */
    (parameters?: Parameters, options?: CallOptions): Promise<TenorResponse<readonly T[]>>;
    /** All pages, of at most `limit` records each. */
    pages(parameters?: Parameters, options?: CallOptions): AsyncGenerator<TenorResponse<readonly T[]>, void, undefined>;
    /**
     * Every matching record, from all pages; `limit` is the size of a page.
     * Without dates, only the quotes of the newest day match.
     */
    all(parameters?: Parameters, options?: CallOptions): RecordStream<T>;
}
interface PagedOperationSource<T, Parameters> {
    url(parameters: Parameters | undefined): URL;
    read(url: URL, options: CallOptions): Promise<TenorResponse<readonly T[]>>;
    /** The default parameters of `pages` and `all`. */
    readonly allPagesDefaults: Parameters;
}
/** Invalid parameters reject, like any other error. */
export declare function createPagedOperation<T, Parameters>({ url, read, allPagesDefaults, }: PagedOperationSource<T, Parameters>): PagedOperation<T, Parameters>;
export {};
