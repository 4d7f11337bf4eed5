import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { dataPackageOperation } from '../../catalogue/operations/data-package.ts';
import { buildDataPackage } from '../../tabular/data-package.ts';
import { operationDocumentResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import { LIST_COST } from './discovery.ts';
import { createOperationRoute } from './operation-route.ts';

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(catalogue: readonly Dataset[]): OperationRoute {
  return createOperationRoute(dataPackageOperation, ({ scheduleJob }, client) => {
    const datasets = catalogue
      .filter(({ scope }) => client.principal.scopes.has(scope))
      .map(({ name }) => name);
    return {
      key: datasets.join(),
      createResponse: (asOf) =>
        scheduleJob(client, LIST_COST, async (jobs) => {
          const { revision, entries } = await jobs.describeExports({ datasets, asOf });
          const document = buildDataPackage({ catalogue, exports: entries, revision, asOf });
          const response = operationDocumentResponse(JSON.stringify(document), revision);
          response.headers.append('Vary', ACCEPT_DATETIME);
          return response;
        }),
    };
  });
}
