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
import { respondAsOf } from '../responses/as-of-response.ts';
import { createDataResponse } from '../responses/data-response.ts';
import { enqueueUnlessJson } from '../responses/dataset-response.ts';
import { getOrCreateResponse } from '../responses/get-or-create-response.ts';
import type { HttpResponse } from '../responses/response.ts';
import { errorResponse, operationResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** The operations that tell what there is: datasets, securities, funds. */
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
      createResponse: async (asOf) =>
        createCatalogueResponse(await reader.coverage(datasets, asOf)),
    };
  });
}

/** A list that is made from a dataset alone, and answers as that does. */
function createTableRoute(
  operation: Operation,
  dataset: Dataset,
  list: (reader: StoreReader, asOf?: number) => Promise<RevisionedList<object>>,
): OperationRoute {
  return createOperationRoute(operation, (context, _, headers) => {
    const { reader, findLastChange } = context;
    const form = negotiateFormat(headers.get('accept'));
    const counted = prefersExactCount(headers.get('prefer'));
    return {
      key: `${form}${counted ? ' counted' : ''}`,
      createResponse: (asOf) =>
        enqueueUnlessJson(context, form, async () => {
          const { revision, entries } = await list(reader, asOf);
          const count = entries.length;
          const texts = entries.map((entry) => JSON.stringify(entry));
          const records = texts.join(form === 'json' ? ',' : '\n');
          const reading = { revision, count, records, ...(counted && { total: count }) };
          const modified = await findLastChange(dataset.name, revision);
          return createDataResponse({
            source: operation,
            result: reading,
            format: form,
            modified,
            links: undefined,
          });
        }),
    };
  });
}

/** What a request wants of an operation. */
interface ResponseRecipe {
  /** Tells its answer from the others of the operation. */
  readonly key: string;
  /** Makes the answer; of the present where no revision is given. */
  readonly createResponse: (asOf?: number) => Promise<HttpResponse>;
}

function createOperationRoute(
  operation: Operation,
  wantedOf: (context: ServerContext, principal: Principal, headers: Headers) => ResponseRecipe,
): OperationRoute {
  const { path, parameters } = operation;
  return {
    path,
    operation,
    respond(service, holder, { query }, { headers }) {
      const values = parseQuery(query, parameters);
      if (isHttpError(values)) return errorResponse(values);
      const { key, createResponse } = wantedOf(service, holder, headers);
      // A key with a space in it is never taken for a target.
      const question = { target: path, key: `${path} ${key}` };
      const instant = headers.get(ACCEPT_DATETIME);
      if (instant !== null) return respondAsOf(service, question, instant, createResponse);
      return getOrCreateResponse(service, question.key, createResponse);
    },
  };
}

function createCatalogueResponse({ revision, entries }: RevisionedList<Coverage>): HttpResponse {
  const response = operationResponse(JSON.stringify(entries.map(toCatalogueEntry)), revision);
  response.headers.append('Vary', ACCEPT_DATETIME);
  return response;
}

function toCatalogueEntry({ dataset, lastRevision, ...coverage }: Coverage): object {
  return { ...buildCatalogueEntry(dataset), key: getKeyFields(dataset), coverage, lastRevision };
}
