import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { Parameters, ParameterValues } from '../catalogue/model/parameter.ts';
import { HttpError } from '../http/http-error.ts';
import type {
  DataRoute,
  OperationQuery,
  OperationRequest,
  OperationResult,
} from '../http/pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../http/request/parse-query.ts';

/** A request for a page of an operation, with the values of its parameters. */
export interface OperationPage<P extends Parameters = Parameters>
  extends Omit<PageRequest, 'filters'> {
  readonly filters: ParameterValues<P>;
}

/** What differs between operations, whose requests are parsed by their declarations. */
interface OperationHandlers<
  P extends Parameters,
  Query extends OperationQuery,
  Result extends OperationResult,
> extends Omit<DataRoute<Query, Result>, 'path' | 'operation' | 'scope' | 'parse'> {
  parse(page: OperationPage<P>, request: OperationRequest): Query | HttpError;
  /** The parameters at a path, if they depend on the dataset that it names. */
  getParameters?(path: string): Parameters;
}

export function createOperationRoute<
  P extends Parameters,
  Query extends OperationQuery,
  Result extends OperationResult,
>(
  operation: Operation<P>,
  { parse, getParameters, ...handlers }: OperationHandlers<P, Query, Result>,
): DataRoute<Query, Result> {
  const { path, scope, parameters, maxAddressBytes: max = Infinity } = operation;
  return {
    path,
    operation,
    scope,
    ...handlers,
    parse(request) {
      if (String(request.target).length > max)
        return new HttpError('uri_too_long', { max: String(max) });
      const page = parsePageRequest(request, getParameters?.(request.target.path) ?? parameters);
      return page instanceof HttpError ? page : parse(page as OperationPage<P>, request);
    },
  };
}

type Scopes = ReadonlySet<string>;

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(catalogue: readonly Dataset[], scopes: Scopes): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

/** The scopes of datasets that a token has, as one text: tokens with the same read the same. */
export function createScopeKey(catalogue: readonly Dataset[]): (scopes: Scopes) => string {
  const allScopes = [...new Set(catalogue.map(({ scope }) => scope))];
  return (scopes) => allScopes.filter((scope) => scopes.has(scope)).join();
}
