import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { Principal } from '../tokens/token-registry.ts';
import type { RequestTarget } from './request/request-target.ts';
import type { HttpResponse } from './responses/response.ts';
import type { ServerContext } from './server-context.ts';

/** A path and what stands behind it: a dataset, an operation, or a document that is open to all. */
export type Route = DatasetRoute | OperationRoute | DocumentRoute;

/** Answers with records of a dataset. */
export interface DatasetRoute {
  readonly path: string;
  readonly dataset: Dataset;
}

/** Answers in a way of its own, behind a token. */
export interface OperationRoute {
  readonly path: string;
  readonly operation: Operation;
  /** What it answers to whom, once the token is accepted and within its rate. */
  respond(
    context: ServerContext,
    principal: Principal,
    target: RequestTarget,
    request: Request,
  ): HttpResponse | Promise<HttpResponse>;
}

/** Answers with what changes only with the program. */
export interface DocumentRoute {
  readonly path: string;
  getDocument(): HttpResponse | Promise<HttpResponse>;
}
