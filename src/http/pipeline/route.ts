import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset, Scope } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { StoreReader } from '../../store/open-store.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import type { Authentication, AuthenticationContext } from '../authentication/authenticate.ts';
import type { JsonData } from '../background/background-work.ts';
import type { View } from '../freshness/newest-revision.ts';
import type { HttpError, MissingRecordErrors } from '../http-error.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import { matchPath, type RequestTarget, type SentParameter } from '../request/parse-query.ts';
import type { EncodedPage, PageRecords, WaitingClient } from '../responses/encode-page.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { KnownDamage } from '../scrub/known-damage.ts';
import type { Exchange, TargetOptions } from './exchange.ts';
import type { Server } from './server.ts';

export type Route = TokenRoute | DocumentRoute;

/** Serves requests with a token, or with the secret of a link. */
export type TokenRoute = DataRoute | FileRoute | CustomRoute;

interface AuthorizedRoute {
  readonly path: string;
  /** The catalogue that a route of data is made from. */
  readonly catalogue?: Catalogue;
  /** Absent if the path is that of a dataset, or no path of the API. */
  readonly operation?: Operation;
  /** The scope that it needs; without one, the response is limited to the token's scopes. */
  readonly scope?: Scope | undefined;
  /** The scopes that a target needs, if it names datasets. */
  readonly findScope?: (target: RequestTarget) => Scope | readonly Scope[];
}

/** Serves data of one view. It says what differs between operations; the stages are shared. */
export interface DataRoute<
  Query extends OperationQuery = OperationQuery,
  Result extends OperationResult = OperationResult,
> extends AuthorizedRoute {
  /** Absent if it serves an operation. */
  readonly dataset?: Dataset;
  /** The dataset that has taken the place of this one. */
  readonly successor?: Dataset | undefined;
  /** The part of the cache key by which responses to tokens with other scopes differ. */
  readonly getScopeKey?: (scopes: Scopes) => string;
  /** Whether it takes no `Accept-Datetime`. */
  readonly isAlwaysCurrent?: true;
  /** Whether a missing record comes before any error of the request. */
  readonly tellsMissingFirst?: boolean;
  /** A revision that parameters name: another machine may have it already, so it is awaited. */
  readonly findAwaitedRevision?: (parameters: readonly SentParameter[]) => number;
  parse(request: OperationRequest): Query | HttpError;
  /**
   * The cost in requests: before reading an estimate, by which the work is scheduled; with the
   * result what the token is charged.
   */
  cost(query: Query, result?: CostOf<Result>): number;
  read(query: Query, context: ReadContext): Awaitable<Result | HttpError>;
}

/** Of records the cost depends on their number. */
type CostOf<Result> = Result extends PageRecords ? EncodedPage : Result;

export type PageRoute<Query extends PageQuery = PageQuery> = DataRoute<Query, PageRecords>;

type Scopes = ReadonlySet<string>;

/** A request for data, before its parameters are parsed. */
export interface OperationRequest {
  readonly target: RequestTarget;
  readonly acceptedFormat: ResponseFormatName;
  readonly includesTotal: boolean;
  readonly scopes: Scopes;
  readonly cursors: CursorCodec;
}

/** The part of a parsed request that all operations share. */
export interface OperationQuery {
  /** The datasets that the response is made from, by name; absent if that is not known yet. */
  readonly datasets?: readonly string[];
  /** The text that cursors are signed for: path and filters. */
  readonly getCursorScope?: () => string;
  /** The revision that the response leads on from: another database may have another of its number. */
  readonly since?: number;
  /** Whether the response says how many records match; if absent, nothing knows. */
  readonly includesTotal?: boolean;
  /** Given if a missing record comes before any error of the request. */
  readonly missing?: MissingRecordErrors;
  /** Whether it costs no more than the records that its datasets have. */
  readonly isBounded?: true;
  /** How many records that is, of the largest of them; absent until it is known. */
  readonly available?: number;
}

/** The query of a page of records. */
export interface PageQuery extends OperationQuery {
  readonly source: RecordSource;
  readonly datasets: readonly string[];
  readonly format: ResponseFormatName;
  /** The fields of a format other than JSON; all if absent. */
  readonly fields?: readonly string[] | undefined;
  /** Whether an operation's records include those of a dataset, which the data package describes. */
  readonly includesDataset?: true;
}

/** What an operation reads from. */
export interface ReadContext {
  readonly view: View;
  readonly reader: StoreReader;
  readonly damage: KnownDamage;
  readonly client: WaitingClient;
}

/** The part of a result that all operations share. */
export interface OperationResult {
  /** The datasets that it is made from, if the query does not say so. */
  readonly datasets?: readonly string[];
  readonly revision: number;
  /** Where the next page begins; absent on the last one. */
  readonly nextPosition?: readonly (string | number)[] | undefined;
}

export interface JsonResult extends OperationResult, JsonData {}

/** A request for data, with its route and its view. */
export interface PlannedRequest {
  readonly route: DataRoute;
  readonly query: OperationQuery;
  /** Path and query. */
  readonly target: string;
  readonly view: View;
}

/** Sends files of one view. */
export interface FileRoute extends AuthorizedRoute {
  sendFile(exchange: Exchange, view: View): Promise<HttpResponse>;
}

/** Serves by a function of its own: streams, links, and other programs in their own words. */
export interface CustomRoute extends AuthorizedRoute {
  /** Whether it takes requests with a body, and no others. */
  readonly takesPost?: true;
  /** Whether its users choose the headers that are sent, so that preflights may name any. */
  readonly allowsAnyHeader?: true;
  /** Whether it is requested all the time: what has not changed is in no log. */
  readonly isPolled?: true;
  /** Its query is parsed by these before; absent if it does so itself. */
  readonly parameters?: Parameters;
  /** By default the token of the request. */
  authenticate?(context: AuthenticationContext, exchange: Exchange): Awaitable<Authentication>;
  respond(exchange: Exchange, respondToTarget: RespondToTarget): Awaitable<HttpResponse>;
}

/**
 * Responds to a target, which is path and query of a GET, as a request of the same client would be
 * responded to: by the same routes, with the same cache and errors. It is charged for what the
 * response costs beyond one request, not for that one. Any other path than those of data gets a 404.
 */
export type RespondToTarget = (target: string, options?: TargetOptions) => Promise<HttpResponse>;

/** Serves a public document. */
export interface DocumentRoute {
  readonly path: string;
  getDocument(request: Pick<Request, 'url'>): Awaitable<HttpResponse>;
  /** Whether it is requested all the time: its successes are not logged. */
  readonly isProbe?: true;
}

/** The routes of data of a catalogue: those that a target may name for which another route responds. */
export type GetDataRoutes = (catalogue: Catalogue) => RouteTable<TokenRoute>;

/** A server, and the routes that it has for each catalogue. */
export interface RoutedServer extends Server {
  readonly getDataRoutes: GetDataRoutes;
}

/** The part of a route that it is found by. */
interface RoutePath {
  readonly path: string;
  /** Absent if any text is valid in the path. */
  readonly operation?: Pick<Operation, 'path' | 'pathParameters'>;
}

/** Routes, found by their paths. */
export class RouteTable<R extends RoutePath> {
  readonly #byPath: ReadonlyMap<string, R>;
  readonly #patterns: readonly R[];

  constructor(readonly routes: readonly R[]) {
    this.#byPath = new Map(routes.filter(hasFixedPath).map((route) => [route.path, route]));
    this.#patterns = routes.filter((route) => !hasFixedPath(route));
  }

  /** The route of a path, which must match exactly. */
  find(path: string): R | undefined {
    return this.#byPath.get(path) ?? this.#patterns.find((route) => matchPattern(route, path));
  }
}

const hasFixedPath = ({ path }: RoutePath) => !path.includes('{');

/** The values in the path of an operation must be valid. */
function matchPattern({ path: pattern, operation }: RoutePath, path: string): boolean {
  if (operation) return matchPath(operation, path) !== undefined;
  // This parameter alone stands for several segments.
  const source = pattern.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`).test(path);
}
