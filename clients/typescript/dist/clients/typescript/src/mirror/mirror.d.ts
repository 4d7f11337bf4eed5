import { RecordStream } from '../../../../src/client/fetch-pages.ts';
import { type AnyDatasetName, type FundAllocationRecord, type QuotesRecord, type RevisionsRecord } from '../../../../src/client/generated.ts';
import type { TenorOptions } from '../../../../src/client/options.ts';
import type { Verification, VerifyOptions } from '../../../../src/ledger/verify-ledger.ts';
import { type AsOf } from '../as-of.ts';
import type { DatasetRecord } from '../dataset.ts';
import { type ObservationFilters } from './select-observations.ts';
import { type QuoteFilters } from './select-quotes.ts';
export type MirrorOptions = Pick<TenorOptions, 'timeoutMs' | 'tries' | 'totalMs' | 'fetch'>;
export interface MirrorAsOf {
    /** The number of a revision, an instant, or a day, which means its end in UTC; by default the newest revision. */
    readonly asOf?: AsOf | undefined;
}
export interface MirrorQuotesParameters extends QuoteFilters, MirrorAsOf {
    /** The maximum number of records. */
    readonly limit?: number | undefined;
}
export interface MirrorDatasetParameters extends ObservationFilters, MirrorAsOf {
    /** The maximum number of records. */
    readonly limit?: number | undefined;
    /** A dimension: one value or several. */
    readonly [dimension: string]: AsOf | readonly string[] | undefined;
}
/**
 * What was published, from the files of a mirror: `new Mirror('https://…')`. Every revision of it can
 * be read, and a revision always has the same records.
 */
export declare class Mirror {
    #private;
    constructor(url: string | URL, options?: MirrorOptions);
    /** The newest revision. */
    revision(): Promise<number>;
    /**
     * Quotes of a day or a range of days, by default of the newest day, as a service sends them. By
     * symbols only the months that are needed are read; by ISINs all of them.
     */
    quotes({ asOf, limit, ...filters }?: MirrorQuotesParameters): Promise<QuotesRecord[]>;
    /**
     * The records of a series or a declared dataset, by period and dimension values, as they were
     * published: without the status that a service adds to those of its own series.
     */
    dataset<T = DatasetRecord>(name: AnyDatasetName, { asOf, limit, ...filters }?: MirrorDatasetParameters): Promise<T[]>;
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fund(id: string, { asOf }?: MirrorAsOf): Promise<FundAllocationRecord>;
    /** Every record of a dataset, in the order of exports. */
    records<T = DatasetRecord>(name: AnyDatasetName, { asOf }?: MirrorAsOf): RecordStream<T>;
    /** The revisions whose datasets the mirror has, newest first. */
    revisions({ limit, }?: {
        readonly limit?: number;
    }): Promise<RevisionsRecord[]>;
    /** Verifies that the mirror has what was published, as `verify` of a service does. */
    verify(options?: VerifyOptions): Promise<Verification>;
}
