import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { dataPackageOperation } from '../../../catalogue/operations/data-package.ts';
import { buildDataPackage } from '../../../tabular/data-package.ts';
import { createReadableRoute } from '../readable-datasets.ts';

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(catalogue: readonly Dataset[]) {
  const operation = dataPackageOperation;
  return createReadableRoute(catalogue, operation, async ({ datasets }, { asOf, jobs }) => {
    const { revision, entries } = await jobs.describeExports({ datasets, asOf });
    const document = buildDataPackage({ catalogue, exports: entries, revision, asOf });
    return { revision, data: JSON.stringify(document) };
  });
}
