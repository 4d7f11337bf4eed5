import { type Changes } from './changes.ts';
import { type Corrections } from './corrections.ts';
import { type FollowOptions } from './follow.ts';
import { type DatasetName, type ExportFormat, type Format, type Operations, type RevisionsRecord, type SeriesName, type TableName } from './generated.ts';
import { type CallOptions, type TenorOptions } from './options.ts';
import { type PagedOperation } from './paged-operation.ts';
import type { TenorResponse } from './response-meta.ts';
import { type RevisionOperation } from './revision.ts';
type OperationName = keyof Operations;
type Parameters<N extends OperationName> = Operations[N]['parameters'];
type OperationData<N extends OperationName> = Operations[N]['data'];
type OperationRecord<N extends OperationName> = OperationData<N> extends readonly (infer T)[] ? T : never;
/** A client of one service with one token. */
export declare class Tenor {
    #private;
    /**
     * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
     * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
     */
    readonly quotes: PagedOperation<OperationRecord<'quotes'>, Parameters<'quotes'>>;
    /** The revisions: what was published, corrected and retired, newest first. */
    readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;
    /** One revision with its changes, which come in pages: `all` reads every one. */
    readonly revision: RevisionOperation;
    /** The old and new versions of records that were corrected or retired, newest first. */
    readonly corrections: Corrections;
    /** What must be done to a copy of revision `since` to have the newest one. */
    readonly changes: Changes;
    constructor(options: TenorOptions);
    /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
    fundAllocation(parameters: Parameters<'fund-allocation'>, options?: CallOptions): Promise<TenorResponse<OperationData<'fund-allocation'>>>;
    /** A statistical series, newest period first. */
    series<N extends SeriesName>(name: N, options?: CallOptions): Promise<TenorResponse<OperationData<N>>>;
    /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
    catalogue(options?: CallOptions): Promise<TenorResponse<OperationData<'catalogue'>>>;
    /** Every security ever quoted. */
    securities(options?: CallOptions): Promise<TenorResponse<OperationData<'securities'>>>;
    /** Every fund. */
    funds(options?: CallOptions): Promise<TenorResponse<OperationData<'funds'>>>;
    /**
     * One page of a response in another format, with a `Link` header if more records match. Its body
     * can be streamed.
     */
    download<N extends TableName>(name: N, format: Format, parameters?: Parameters<N>, options?: CallOptions): Promise<Response>;
    /** A whole dataset, from one revision. Its body can be streamed. */
    export(name: DatasetName, format: ExportFormat, options?: CallOptions): Promise<Response>;
    /**
     * Each revision as it is published, without end: from `/events`, connecting again when that ends,
     * or by polling where a service or proxy has none. Errors that do not pass are thrown.
     */
    follow(options?: FollowOptions): AsyncGenerator<RevisionsRecord, never, undefined>;
    /**
     * The same client, reading all data as of that instant, or as of the end of that day.
     * Revisions are always the current ones.
     */
    asOf(instant: Date | string): Tenor;
}
export {};
