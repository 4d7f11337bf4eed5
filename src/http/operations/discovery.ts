import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import {
  catalogueOperation,
  fundsOperation,
  securitiesOperation,
} from '../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { Coverage, RevisionedList, StoreReader } from '../../store/open-store.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { isHttpError } from '../http-error.ts';
import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import { parseQuery } from '../request/parse-query.ts';
import { getOrCreateResponse } from '../responses/cached-response.ts';
import { enqueueUnlessJson, getVariantKey } from '../responses/dataset-response.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import { errorResponse, type HttpResponse, operationResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** The operations that list what there is: datasets, securities, funds. */
export function createDiscoveryRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [
    createCatalogueRoute(catalogue),
    createTableRoute(securitiesOperation, quotes, (reader, asOf) =>
      reader.securities(quotes, asOf),
    ),
    createTableRoute(fundsOperation, fundAllocation, (reader, asOf) =>
      reader.funds(fundAllocation, asOf),
    ),
  ];
}

function createCatalogueRoute(catalogue: readonly Dataset[]): OperationRoute {
  return createOperationRoute(catalogueOperation(catalogue), ({ reader }, { scopes }) => {
    const datasets = catalogue.filter(({ scope }) => scopes.has(scope));
    return {
      key: datasets.map(({ name }) => name).join(),
      createResponse: async (asOf) => {
        const { revision, entries } = await reader.coverage(datasets, asOf);
        const response = operationResponse(JSON.stringify(entries.map(toCatalogueEntry)), revision);
        response.headers.append('Vary', ACCEPT_DATETIME);
        return response;
      },
    };
  });
}

/** A list that is computed from one dataset, in every format. */
function createTableRoute(
  operation: Operation,
  dataset: Dataset,
  list: (reader: StoreReader, asOf?: number) => Promise<RevisionedList<object>>,
): OperationRoute {
  return createOperationRoute(operation, (context, _, headers) => {
    const { reader, findLastChange } = context;
    const format = negotiateFormat(headers.get('accept'));
    const includeTotal = prefersExactCount(headers.get('prefer'));
    return {
      key: getVariantKey(format, includeTotal),
      createResponse: (asOf) =>
        enqueueUnlessJson(context, format, async () => {
          const { revision, entries } = await list(reader, asOf);
          const count = entries.length;
          const texts = entries.map((entry) => JSON.stringify(entry));
          const records = texts.join(format === 'json' ? ',' : '\n');
          const result = { revision, count, records, ...(includeTotal && { total: count }) };
          const modified = await findLastChange(dataset.name, revision);
          return createRecordsResponse({ source: operation, result, format, modified });
        }),
    };
  });
}

/** The key that `plan` gives differs between responses of the operation. */
function createOperationRoute(
  operation: Operation,
  plan: (
    context: ServerContext,
    principal: Principal,
    headers: Headers,
  ) => { key: string; createResponse: (asOf?: number) => Promise<HttpResponse> },
): OperationRoute {
  const { path, parameters } = operation;
  return {
    path,
    operation,
    respond(context, principal, { query }, { headers }) {
      const values = parseQuery(query, parameters);
      if (isHttpError(values)) return errorResponse(values);
      const { key, createResponse } = plan(context, principal, headers);
      // No target has a space, so the key is no target of another request.
      const instant = headers.get(ACCEPT_DATETIME);
      const request = { target: path, key: `${path} ${key}`, instant };
      return getOrCreateResponse(context, request, createResponse);
    },
  };
}

function toCatalogueEntry({ dataset, lastRevision, ...coverage }: Coverage): object {
  return { ...buildCatalogueEntry(dataset), key: getKeyFields(dataset), coverage, lastRevision };
}
