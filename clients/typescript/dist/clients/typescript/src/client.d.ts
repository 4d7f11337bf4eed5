import { type Aligned } from '../../../src/client/aligned.ts';
import { type AnyDatasetName, type ExportFormat, type Format, type RevisionsRecord, type SeriesName, type TableName } from '../../../src/client/generated.ts';
import { type CallOptions, type TenorOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import type { Verification, VerifyOptions } from '../../../src/ledger/verify-ledger.ts';
import { type AsOf } from './as-of.ts';
import type { Changes } from './changes.ts';
import type { SyncResult } from './copy-sync.ts';
import type { Corrections } from './corrections.ts';
import { type DatasetParameters, type Datasets } from './dataset.ts';
import { type FollowOptions } from './follow.ts';
import { type AllParameters, type OperationData, type OperationName, type OperationRecord, type Parameters } from './operation-types.ts';
import { type PagedOperation } from './paged-operation.ts';
import { type RevisionOperation } from './revision.ts';
import type { Vintages } from './vintages.ts';
/** A client of one service with one token. */
export declare class Tenor {
    #private;
    /**
     * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
     * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
     * `symbol` is one, or up to 50; `all` takes any number, and reads them from one revision.
     */
    readonly quotes: PagedOperation<OperationRecord<'quotes'>, Parameters<'quotes'>>;
    /**
     * The yield curve of a market: on up to 12 days, through time by `from` or `to`, which `all` reads
     * to its end, or by default on the newest day.
     */
    readonly curve: PagedOperation<OperationRecord<'curve'>, Parameters<'curve'>>;
    /** Accrued interest, yield, durations, convexity and spread of quotes, selected like these. */
    readonly analytics: PagedOperation<OperationRecord<'analytics'>, Parameters<'analytics'>>;
    /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
    readonly catalogue: PagedOperation<OperationRecord<'catalogue'>, Parameters<'catalogue'>>;
    /** Every security ever quoted, or those with the text `q`; all of them without a `limit`. */
    readonly securities: PagedOperation<OperationRecord<'securities'>, Parameters<'securities'>>;
    /** Every fund, or those with the text `q`; all of them without a `limit`. */
    readonly funds: PagedOperation<OperationRecord<'funds'>, Parameters<'funds'>>;
    /**
     * The records of any series or declared dataset by its name, by period and dimension values;
     * aggregated to a `frequency`, and as changes or growth by `units`.
     */
    readonly dataset: Datasets;
    /** Figures of several datasets, securities and curves in one table by period, newest first. */
    readonly aligned: Aligned;
    /** The revisions: what was published, corrected and retired, newest first. */
    readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;
    /** One revision with its changes, which come in pages: `all` reads every one. */
    readonly revision: RevisionOperation;
    /** The old and new versions of records that were corrected or retired, newest first. */
    readonly corrections: Corrections;
    /** Every published state of the records of a dataset; `matrix` has a column for each revision. */
    readonly vintages: Vintages;
    /** The changes that make a copy of revision `since` one of the newest revision. */
    readonly changes: Changes;
    /** URL and token are by default those of TENOR_URL and TENOR_TOKEN, on Node, Bun and Deno. */
    constructor(options?: TenorOptions);
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fundAllocation(parameters: Parameters<'fund-allocation'>, options?: CallOptions): Promise<TenorResponse<OperationData<'fund-allocation'>>>;
    /** A statistical series, newest period first. */
    series<N extends SeriesName>(name: N, options?: CallOptions): Promise<TenorResponse<OperationData<N>>>;
    /** The payments that a security is still to make, by its newest quote or that of a date. */
    cashflows(parameters: Parameters<'cashflows'>, options?: CallOptions): Promise<TenorResponse<OperationData<'cashflows'>>>;
    /** Any operation by its name; names in its path, such as `dataset`, are parameters too. */
    query<N extends OperationName>(name: N, parameters?: AllParameters<N>, options?: CallOptions): Promise<TenorResponse<OperationData<N>>>;
    /**
     * One page of a response in another format, with a `Link` header if more records match. Its body
     * can be streamed. Names in its path, such as `dataset`, are parameters too.
     */
    download<N extends TableName | 'dataset'>(name: N, format: Format, parameters?: N extends TableName ? AllParameters<N> : DatasetParameters & {
        readonly dataset: string;
    }, options?: CallOptions): Promise<Response>;
    /** A whole dataset, from one revision. Its body can be streamed. */
    export(name: AnyDatasetName, format: ExportFormat, options?: CallOptions): Promise<Response>;
    /**
     * Each revision as it is published, without end: from `/events`, connecting again when that ends,
     * or by polling where a service or proxy has none. Errors that do not pass are thrown.
     */
    follow(options?: FollowOptions): AsyncGenerator<RevisionsRecord, never, undefined>;
    /**
     * Makes a file the newest copy of a dataset, by the changes since the last call; only where there
     * are files: on Node, Bun and Deno. See `CopySync`.
     */
    sync(dataset: AnyDatasetName, path: string): Promise<SyncResult>;
    /**
     * Verifies that the service has not changed what it published: keep the `state` of the result, and
     * give it to the next call. An alarm is a `VerificationError`; a service that only lacks revisions
     * which were verified before is a `TenorError` of the kind `behind`.
     */
    verify(options?: VerifyOptions): Promise<Verification>;
    /**
     * The same client, reading all data as of that instant, the end of that day or that revision.
     * Anything else throws a `TypeError` at once. Revisions are always the current ones.
     */
    asOf(asOf: AsOf): Tenor;
}
