import { buildCatalogueEntry } from '../../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { findNextDue } from '../../../catalogue/model/next-due.ts';
import { catalogueOperation } from '../../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../../schema/key-fields.ts';
import type { CoverageEntry } from '../../background/jobs.ts';
import { LIST_COST } from '../../pages/request-cost.ts';
import type { DataRoute, JsonResult } from '../../pipeline/route.ts';
import { operationResponse } from '../../responses/response.ts';
import {
  listReadableDatasets,
  parseReadableDatasets,
  type ReadableQuery,
} from '../readable-datasets.ts';

/** The operation that describes the datasets in a token's scopes. */
export function createCatalogueRoute(
  catalogue: readonly Dataset[],
): DataRoute<ReadableQuery, JsonResult> {
  const operation = catalogueOperation(catalogue);
  return {
    path: operation.path,
    operation,
    isUnfiltered: true,
    getScopeKey: (principal) => listReadableDatasets(catalogue, principal).join(),
    parse: (request) => parseReadableDatasets(catalogue, operation, request),
    cost: (_, result) => (result ? 1 : LIST_COST),
    async read({ datasets }, { asOf, jobs }) {
      const { revision, entries } = await jobs.readCoverage({ datasets, asOf });
      const data = entries.map((entry) => toCatalogueEntry(catalogue, entry));
      return { revision, data: JSON.stringify(data) };
    },
    respond: (_, { data, revision }) => operationResponse(data, { revision, supportsAsOf: true }),
  };
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
