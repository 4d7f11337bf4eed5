import type { RecordStream } from './fetch-pages.ts';
import type { AnyDatasetName } from './generated.ts';
import type { CallOptions } from './options.ts';
import type { PagedOperation } from './paged-operation.ts';
import type { TenorResponse } from './response-meta.ts';
/** A record of a declared dataset: a period, dimensions and a status are texts, measures numbers. */
export type DatasetRecord = Readonly<Record<string, string | number | null>>;
export interface DatasetParameters {
    /** First period, inclusive, such as `2026-01-31`, `Jan 2026` or `Q1 2026`, or a day in it. */
    readonly from?: string | undefined;
    /** Last period, inclusive. */
    readonly to?: string | undefined;
    /** `desc`, the default, for the newest period first. */
    readonly sort?: 'desc' | 'asc' | undefined;
    /** The maximum number of records of a page, 100 by default. */
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    /** A dimension: one value, or up to 50. */
    readonly [dimension: string]: string | number | readonly string[] | undefined;
}
/**
 * The records of any series or declared dataset by its name. Their type can be given, such as one
 * that was generated from the OpenAPI document of the service.
 */
export interface Datasets {
    /** One page of at most `limit` records; `meta.hasMore` tells whether there are more. */
    <T = DatasetRecord>(dataset: AnyDatasetName, parameters?: DatasetParameters, options?: CallOptions): Promise<TenorResponse<readonly T[]>>;
    /** All pages, of at most `limit` records each, from one revision. */
    pages<T = DatasetRecord>(dataset: AnyDatasetName, parameters?: DatasetParameters, options?: CallOptions): AsyncGenerator<TenorResponse<readonly T[]>, void, undefined>;
    /** Every matching record, from all pages. */
    all<T = DatasetRecord>(dataset: AnyDatasetName, parameters?: DatasetParameters, options?: CallOptions): RecordStream<T>;
}
export declare const DATASET_PATH = "/datasets/{dataset}";
/** Combines the paged operations of the datasets, with the dataset first. */
export declare function combineDatasets<T, Parameters>(createOperation: (dataset: AnyDatasetName) => PagedOperation<T, Parameters>): ((dataset: AnyDatasetName, parameters?: Parameters | undefined, options?: CallOptions | undefined) => Promise<TenorResponse<readonly T[]>>) & {
    pages: (dataset: AnyDatasetName, ...args: [parameters?: Parameters, options?: CallOptions]) => AsyncGenerator<TenorResponse<readonly T[]>, void, undefined>;
    all: (dataset: AnyDatasetName, ...args: [parameters?: Parameters, options?: CallOptions]) => RecordStream<T>;
};
