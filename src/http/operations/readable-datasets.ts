import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { HttpError } from '../http-error.ts';
import type { OperationQuery, OperationRequest } from '../pipeline/route.ts';
import { parseDataQuery } from '../request/data-query.ts';

/** A request for what there is of all datasets in a token's scopes. */
export interface ReadableQuery extends OperationQuery {
  readonly datasets: readonly string[];
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(
  catalogue: readonly Dataset[],
  { scopes }: Principal,
): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

/** Parses a request that takes no parameters but those of every response. */
export function parseReadableDatasets(
  catalogue: readonly Dataset[],
  { parameters }: Operation,
  { query, principal }: OperationRequest,
): ReadableQuery | HttpError {
  const values = parseDataQuery(query, parameters);
  if (values instanceof HttpError) return values;
  return { asOf: values.asOf, datasets: listReadableDatasets(catalogue, principal) };
}
