import type { Catalogue } from '../../catalogue/catalogues.ts';
import { LIST_COST } from '../../http/background/job-scheduler.ts';
import { getAsOf } from '../../http/pipeline/read-parts.ts';
import type { DataRoute, JsonResult, PageQuery } from '../../http/pipeline/route.ts';
import { buildDataPackage, describeExports } from '../../tabular/data-package.ts';
import { createOperationRoute, createScopeKey, listReadableDatasets } from '../operation-route.ts';
import { dataPackageOperation } from './data-package-operation.ts';

/** The route that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute({
  datasets: all,
}: Catalogue): DataRoute<PageQuery, JsonResult> {
  return createOperationRoute(dataPackageOperation, {
    getScopeKey: createScopeKey(all),
    parse: (page, { scopes }) => ({
      ...page,
      source: dataPackageOperation,
      datasets: listReadableDatasets(all, scopes),
    }),
    cost: (_, result) => (result ? 1 : LIST_COST),
    async read(query, { view, reader }) {
      const datasets = query.datasets.map((name) => view.catalogue.get(name));
      const { revision, entries } = await describeExports(reader, datasets, view.revision);
      const asOf = getAsOf(view);
      const document = buildDataPackage({ catalogue: datasets, exports: entries, revision, asOf });
      return { revision, data: JSON.stringify(document) };
    },
  });
}
