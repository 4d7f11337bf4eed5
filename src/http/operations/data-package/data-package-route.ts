import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { dataPackageOperation } from '../../../catalogue/operations/data-package.ts';
import { buildDataPackage } from '../../../tabular/data-package.ts';
import { LIST_COST } from '../../pages/request-cost.ts';
import type { DataRoute, JsonResult } from '../../pipeline/route.ts';
import { operationDocumentResponse } from '../../responses/response.ts';
import {
  listReadableDatasets,
  parseReadableDatasets,
  type ReadableQuery,
} from '../readable-datasets.ts';

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(
  catalogue: readonly Dataset[],
): DataRoute<ReadableQuery, JsonResult> {
  return {
    path: dataPackageOperation.path,
    operation: dataPackageOperation,
    isUnfiltered: true,
    getScopeKey: (principal) => listReadableDatasets(catalogue, principal).join(),
    parse: (request) => parseReadableDatasets(catalogue, dataPackageOperation, request),
    cost: (_, result) => (result ? 1 : LIST_COST),
    async read({ datasets }, { asOf, jobs }) {
      const { revision, entries } = await jobs.describeExports({ datasets, asOf });
      const document = buildDataPackage({ catalogue, exports: entries, revision, asOf });
      return { revision, data: JSON.stringify(document) };
    },
    respond: (_, { data, revision }) =>
      operationDocumentResponse(data, { revision, supportsAsOf: true }),
  };
}
