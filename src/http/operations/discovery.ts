import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { funds } from '../../catalogue/datasets/funds.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findNextDue } from '../../catalogue/model/next-due.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import {
  catalogueOperation,
  fundsOperation,
  securitiesOperation,
} from '../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { CoverageEntry } from '../background/jobs.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import { isHttpError } from '../http-error.ts';
import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import { withFormat } from '../request/data-query.ts';
import { CURSOR_TOO_NEW_RESPONSE, getOrCreateResponse } from '../responses/cached-response.ts';
import { getVariantKey } from '../responses/dataset-response.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import { errorResponse, operationResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';
import { createOperationRoute } from './operation-route.ts';
import { createPageLinks, parsePageRequest } from './page-request.ts';

/** The operations that list what there is: datasets, securities, funds. */
export function createDiscoveryRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [
    createCatalogueRoute(catalogue),
    createListRoute(securitiesOperation, 'securities', [quotes, securities]),
    createListRoute(fundsOperation, 'funds', [fundAllocation, funds]),
  ];
}

function createCatalogueRoute(catalogue: readonly Dataset[]): OperationRoute {
  return createOperationRoute(catalogueOperation(catalogue), ({ scheduleJob }, client) => {
    const names = catalogue
      .filter(({ scope }) => client.principal.scopes.has(scope))
      .map(({ name }) => name);
    return {
      key: names.join(),
      createResponse: (asOf) =>
        scheduleJob(client, LIST_COST, async (jobs) => {
          const { revision, entries } = await jobs.readCoverage({ datasets: names, asOf });
          const data = entries.map((entry) => toCatalogueEntry(catalogue, entry));
          const response = operationResponse(JSON.stringify(data), revision);
          response.headers.append('Vary', ACCEPT_DATETIME);
          return response;
        }),
    };
  });
}

/** Lists are computed from all records. */
export const LIST_COST = 10;

/** A list that is computed from a dataset and its reference data, in every format. */
function createListRoute(
  operation: Operation,
  list: 'securities' | 'funds',
  datasets: readonly [Dataset, Dataset],
): OperationRoute {
  const { path, parameters } = operation;
  const [{ name: dataset }, reference] = datasets;
  const otherDatasets = [reference.name];
  return {
    path,
    operation,
    respond(context, client, target, { headers }) {
      const page = withFormat(
        parsePageRequest(target, parameters, context.cursors),
        negotiateFormat(headers.get('accept')),
      );
      if (isHttpError(page)) return errorResponse(page);
      const { format, fields } = page;
      const includeTotal = prefersExactCount(headers.get('prefer'));
      // No target has a space, so the key is no target of another request.
      const key = `${page.target} ${getVariantKey(format, includeTotal)}`;
      const instant = headers.get(ACCEPT_DATETIME);
      const request = { target: page.target, key, instant, asOf: page.asOf };
      return getOrCreateResponse(context, request, (requestedAsOf) =>
        context.scheduleJob(client, LIST_COST, async (jobs) => {
          // The revision of the first page holds for all of them.
          const [asOf = requestedAsOf, after] = page.position ?? [];
          if (requestedAsOf !== undefined && asOf !== undefined && requestedAsOf < asOf)
            return CURSOR_TOO_NEW_RESPONSE;
          const filter = { ...page.filters, ...(after !== undefined && { after: String(after) }) };
          const job = {
            ...{ list, dataset, otherDatasets, asOf, format, fields, filter },
            target: page.target,
          };
          const { lastIdentifier, total, ...created } = await jobs.createPage(job, client);
          if (created.encodeMs) client.recordEncoding?.(created.encodeMs);
          const { count: records, revision } = created;
          client.charge(computeRequestCost({ records, format }) - 1);
          const next = lastIdentifier === undefined ? undefined : [revision, lastIdentifier];
          return createRecordsResponse({
            source: operation,
            page: { ...created, ...(includeTotal && total !== undefined && { total }) },
            format,
            modified: await findLastChangeOfAny(context, datasets, revision),
            links: next && createPageLinks(page, next as [number, string], context.cursors),
            includesDataset: true,
          });
        }),
      );
    },
  };
}

async function findLastChangeOfAny(
  { findLastChange }: ServerContext,
  datasets: readonly Dataset[],
  revision: number,
) {
  const changes = await Promise.all(datasets.map(({ name }) => findLastChange(name, revision)));
  return changes.reduce((last, change) =>
    (change?.revision ?? 0) > (last?.revision ?? 0) ? change : last,
  );
}

function toCatalogueEntry(
  catalogue: readonly Dataset[],
  { dataset: name, ...newest }: CoverageEntry,
): object {
  const dataset = catalogue.find((candidate) => candidate.name === name) as Dataset;
  const { first, last, count, lastRevision } = newest;
  return {
    ...buildCatalogueEntry(dataset),
    key: getKeyFields(dataset),
    coverage: { first, last, count },
    lastRevision,
    nextDue: findNextDue({ ...newest, dataset }),
  };
}
