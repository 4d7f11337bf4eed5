import type { Dataset, Scope } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import type { Client } from './background/schedule-job.ts';
import type { Authentication, UnknownClient } from './request/authenticate.ts';
import type { RequestTarget } from './request/request-target.ts';
import type { HttpResponse } from './responses/response.ts';
import type { ServerContext } from './server-context.ts';

export type Route = TokenRoute | LinkRoute | DocumentRoute;

/** Serves whoever has a token with the scope that it needs. */
export type TokenRoute = DataRoute | GuestRoute | PostRoute;

/** Serves data by an operation of the API. */
export type DataRoute = DatasetRoute | OperationRoute;

/** Serves records of a dataset. */
export interface DatasetRoute {
  readonly path: string;
  readonly dataset: Dataset;
}

/** Serves another operation that needs a token. */
export interface OperationRoute {
  readonly path: string;
  readonly operation: Operation;
  /** Called once the token is accepted and within its rate. */
  respond(
    context: ServerContext,
    client: Client,
    target: RequestTarget,
    request: Request,
  ): Awaitable<HttpResponse>;
}

/** Serves another program in its own words: no operation of the API. */
export interface GuestRoute {
  readonly path: string;
  /** The scope that it needs; without one, the response is limited to the token's scopes. */
  readonly scope?: Scope;
  /** Its users choose which headers it sends, so that preflights may name any. */
  readonly allowsAnyHeader: true;
  respond: OperationRoute['respond'];
}

/** Serves whoever has the secret of a link, which is in the path. */
export interface LinkRoute extends Pick<OperationRoute, 'path' | 'respond'> {
  /** That of the target holds. */
  readonly scope?: undefined;
  authenticate(
    context: ServerContext,
    client: UnknownClient,
    request: Request,
  ): Awaitable<Authentication>;
}

/** Serves requests with a body, to whoever has a token. */
export interface PostRoute extends Pick<OperationRoute, 'path' | 'respond'> {
  readonly scope?: undefined;
  readonly takesPost: true;
}

/** Serves a public document. */
export interface DocumentRoute {
  readonly path: string;
  getDocument(context: ServerContext, request: Pick<Request, 'url'>): Awaitable<HttpResponse>;
  /** Whether it is requested all the time: its successes are not logged. */
  readonly isProbe?: true;
}
