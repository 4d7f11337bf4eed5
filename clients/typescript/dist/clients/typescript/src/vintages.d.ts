import type { RecordStream } from '../../../src/client/fetch-pages.ts';
import type { AnyDatasetName, VintagesParameters, VintagesRecord } from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import type { RecordOf } from './changes.ts';
import type { VintageMatrix } from './vintage-matrix.ts';
/** A published state of a record; a series has its status too. */
export type Vintage<N extends AnyDatasetName = AnyDatasetName> = RecordOf<N> & VintagesRecord & {
    readonly status?: string;
};
/** Those of the dataset, and a value of a dimension, or up to 50. */
export type VintageParameters = VintagesParameters & {
    readonly [dimension: string]: string | number | readonly string[] | undefined;
};
export interface MatrixOptions extends CallOptions {
    /** The measures; by default every field with numbers. Others must be named. */
    readonly measures?: readonly string[] | undefined;
}
/** Every published state of the records of any dataset: like other paged operations. */
export interface Vintages {
    /** One page of at most `limit` states; `meta.hasMore` tells whether there are more. */
    <N extends AnyDatasetName>(dataset: N, parameters?: VintageParameters, options?: CallOptions): Promise<TenorResponse<readonly Vintage<N>[]>>;
    /** All pages, of at most `limit` states each, from one revision. */
    pages<N extends AnyDatasetName>(dataset: N, parameters?: VintageParameters, options?: CallOptions): AsyncGenerator<TenorResponse<readonly Vintage<N>[]>, void, undefined>;
    /** Every state, from all pages. */
    all<N extends AnyDatasetName>(dataset: N, parameters?: VintageParameters, options?: CallOptions): RecordStream<Vintage<N>>;
    /** All of them as a table: a row for each record and measure, a column for each revision. */
    matrix(dataset: AnyDatasetName, parameters?: VintageParameters, options?: MatrixOptions): Promise<VintageMatrix>;
}
