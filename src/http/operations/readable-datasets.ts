import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { HttpError } from '../http-error.ts';
import { LIST_COST } from '../pages/request-cost.ts';
import type { DataRoute, JsonResult, OperationQuery } from '../pipeline/route.ts';
import { parseDataQuery } from '../request/data-query.ts';

/** A request for what there is of all datasets in a token's scopes. */
interface ReadableQuery extends OperationQuery {
  readonly datasets: readonly string[];
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(
  catalogue: readonly Dataset[],
  { scopes }: Principal,
): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

/** An operation about all datasets in a token's scopes, with the parameters of every response. */
export function createReadableRoute(
  catalogue: readonly Dataset[],
  operation: Operation,
  read: DataRoute<ReadableQuery, JsonResult>['read'],
): DataRoute<ReadableQuery, JsonResult> {
  return {
    path: operation.path,
    operation,
    isUnfiltered: true,
    getScopeKey: (principal) => listReadableDatasets(catalogue, principal).join(),
    parse({ query, principal }) {
      const values = parseDataQuery(query, operation.parameters);
      if (values instanceof HttpError) return values;
      return { asOf: values.asOf, datasets: listReadableDatasets(catalogue, principal) };
    },
    cost: (_, result) => (result ? 1 : LIST_COST),
    read,
  };
}
