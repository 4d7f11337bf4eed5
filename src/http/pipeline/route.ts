import type { Catalogue, Catalogues } from '../../catalogue/catalogues.ts';
import type { Dataset, Scope } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import type { AsOf } from '../../catalogue/model/response-parameters.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { StoreReader } from '../../store/open-store.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import type {
  Authentication,
  AuthenticationContext,
  UnknownClient,
} from '../authentication/authenticate.ts';
import type { JobCounts } from '../background/job-queue.ts';
import type { Jobs } from '../background/jobs.ts';
import type { Client, ScheduleJob } from '../background/schedule-job.ts';
import type { NewestRevision } from '../freshness/newest-revision.ts';
import type { HttpError } from '../http-error.ts';
import type { EncodedPage } from '../pages/encode-page.ts';
import type { PageContents } from '../pages/page-reader.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import type { RequestTarget } from '../request/request-target.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { StoreLookups } from '../responses/store-lookups.ts';
import type { KnownDamage } from '../scrub/known-damage.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { RouteTable } from './route-table.ts';

export type Route = TokenRoute | DocumentRoute;

/** Serves requests with a token, or with the secret of a link. */
export type TokenRoute = DataRoute | CustomRoute;

interface AuthorizedRoute {
  readonly path: string;
  /** The catalogue that a route of data is made from. */
  readonly catalogue?: Catalogue;
  /** Absent where the path is that of a dataset, or no path of the API. */
  readonly operation?: Operation;
  /** The scope that it needs; without one, the response is limited to the token's scopes. */
  readonly scope?: Scope | undefined;
  /** The scopes that a target needs, where it names datasets. */
  readonly findScope?: (path: string, query: string) => Scope | readonly Scope[];
}

/**
 * Serves data of one revision. It says what differs between operations; `serveOperation` has the
 * stages that they share.
 */
export interface DataRoute<
  Query extends OperationQuery = OperationQuery,
  Result extends OperationResult = OperationResult,
> extends AuthorizedRoute {
  /** Absent where it serves an operation. */
  readonly dataset?: Dataset;
  /** The dataset that has taken the place of this one. */
  readonly successor?: Dataset | undefined;
  /** The part of the cache key by which responses to tokens with other scopes differ. */
  readonly getScopeKey?: (principal: Principal) => string;
  /** Whether it takes no `Accept-Datetime`. */
  readonly isAlwaysCurrent?: true;
  parse(request: OperationRequest): Query | HttpError;
  /**
   * The cost in requests: before reading an estimate, by which the work is scheduled; with the
   * result what the token is charged.
   */
  cost(query: Query, result?: Result): number;
  read(query: Query, options: ReadOptions): Awaitable<Result | HttpError>;
}

/** Serves pages of records. */
export type PageRoute<Query extends PageQuery = PageQuery> = DataRoute<Query, EncodedPage>;

/** A request for data, before its parameters are parsed. */
export interface OperationRequest extends RequestTarget {
  /** Path and query, without a question mark where the query is empty. */
  readonly target: string;
  /** The format that `Accept` names; the parameter `format` wins over it. */
  readonly acceptedFormat: ResponseFormatName;
  /** Whether `Prefer` asks how many records match. */
  readonly includeTotal: boolean;
  readonly principal: Principal;
  readonly cursors: CursorCodec;
}

/** The part of a parsed request that all operations share. */
export interface OperationQuery {
  /** The datasets that the response is made from, by name; absent where that is not known yet. */
  readonly datasets?: readonly string[];
  /** Wins over `Accept-Datetime`. */
  readonly asOf?: AsOf | undefined;
  /** The revision of the first page, which a cursor holds for all of them. */
  readonly pinnedRevision?: number | undefined;
  /** When that was published; 0 where the cursor does not tell. */
  readonly pinnedMs?: number | undefined;
  /** The text that cursors are signed for: path and filters. */
  readonly cursorScope?: string;
  /** A revision that the request names: another machine may have it already, so it is awaited. */
  readonly namedRevision?: number;
  /** The revision that the response leads on from: another database may have another of its number. */
  readonly since?: number;
  /** Whether a missing record comes before an error of `asOf`. */
  readonly defersErrors?: boolean;
}

/** The query of a page of records. */
export interface PageQuery extends OperationQuery {
  readonly source: RecordSource;
  readonly datasets: readonly string[];
  readonly format: ResponseFormatName;
  /** The fields of a format other than JSON; all where absent. */
  readonly fields?: readonly string[] | undefined;
  /** Whether an operation's records include those of a dataset, which the data package describes. */
  readonly includesDataset?: true;
}

export interface ReadOptions {
  /** The revision to read; the current data where absent. */
  readonly asOf: number | undefined;
  readonly catalogue: Catalogue;
  /** The error of `as_of`, where a missing record comes before it. */
  readonly deferredError: HttpError | undefined;
  /** Jobs on the thread that suits the cost. */
  readonly jobs: Jobs;
  /** Reads a page in the format and with the fields of the query. */
  readonly readPage: (contents: PageContents) => Awaitable<EncodedPage>;
  readonly reader: StoreReader;
  readonly damage: KnownDamage;
}

/** The part of a result that all operations share. */
export interface OperationResult {
  /** The datasets that it is made from, where the query does not say so. */
  readonly datasets?: readonly string[];
  readonly revision: number;
  /** Where the next page begins; absent on the last one. */
  readonly nextPosition?: EncodedPage['nextPosition'];
  readonly encodeMs?: number;
}

/** Data as JSON. */
export interface JsonResult extends OperationResult {
  readonly data: string;
  /** Whether it is the same for ever. */
  readonly isFinal?: true;
}

/** Serves by a function of its own: files, streams, links, and other programs in their own words. */
export interface CustomRoute extends AuthorizedRoute {
  /** Whether it takes requests with a body, and no others. */
  readonly takesPost?: true;
  /** Whether its users choose the headers that are sent, so that preflights may name any. */
  readonly allowsAnyHeader?: true;
  /** Its query is parsed by these before; absent where it does so itself. */
  readonly parameters?: Parameters;
  /** By default the token of the request. */
  authenticate?(
    context: AuthenticationContext,
    client: UnknownClient,
    request: Request,
  ): Awaitable<Authentication>;
  respond(
    data: DataContext,
    client: Client,
    target: RequestTarget,
    request: Request,
  ): Awaitable<HttpResponse>;
}

/** Serves a public document. */
export interface DocumentRoute {
  readonly path: string;
  getDocument(request: Pick<Request, 'url'>): Awaitable<HttpResponse>;
  /** Whether it is requested all the time: its successes are not logged. */
  readonly isProbe?: true;
}

/** Everything that serving data needs of one database: another one takes its place as a whole. */
export interface DataContext extends StoreLookups {
  readonly reader: StoreReader;
  readonly catalogues: Catalogues;
  readonly getDataRoutes: GetDataRoutes;
  readonly newestRevision: NewestRevision;
  readonly damage: KnownDamage;
  readonly responseCache: ResponseCache;
  readonly cacheCounts: Pick<RequestMetrics, 'cacheHits' | 'cacheMisses'>;
  readonly cursors: CursorCodec;
  readonly scheduleJob: ScheduleJob;
  readonly jobCounts: JobCounts;
  /** Creates files of complete datasets. */
  readonly exportFile: Jobs['exportFile'];
  /** Whether background jobs fail until the process is started again. */
  readonly isBackgroundStuck: () => boolean;
}

/** The routes of data of a catalogue: those that a target may name for which another route responds. */
export type GetDataRoutes = (catalogue: Catalogue) => RouteTable<TokenRoute>;
