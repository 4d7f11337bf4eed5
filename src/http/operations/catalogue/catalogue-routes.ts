import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { dataPackageOperation } from '../../../catalogue/operations/data-package.ts';
import { catalogueOperation } from '../../../catalogue/operations/discovery.ts';
import { buildDataPackage } from '../../../tabular/data-package.ts';
import type { Principal } from '../../../tokens/token-registry.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost, LIST_COST } from '../../pages/request-cost.ts';
import type {
  DataRoute,
  JsonResult,
  OperationRequest,
  PageQuery,
  PageRoute,
} from '../../pipeline/route.ts';
import { parseDataQuery } from '../../request/data-query.ts';

/** The operation that describes the datasets in a token's scopes. */
export function createCatalogueRoute(catalogue: readonly Dataset[]): PageRoute {
  return {
    ...createReadableRoute(catalogue, catalogueOperation(catalogue)),
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    read: (_, { readPage }) => readPage({ catalogue: true }),
  };
}

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(
  catalogue: readonly Dataset[],
): DataRoute<PageQuery, JsonResult> {
  return {
    ...createReadableRoute(catalogue, dataPackageOperation),
    cost: (_, result) => (result ? 1 : LIST_COST),
    async read({ datasets }, { asOf, jobs, ...plan }) {
      const { revision, entries } = await jobs.describeExports(plan.catalogue, datasets, asOf);
      const document = buildDataPackage({ catalogue, exports: entries, revision, asOf });
      return { revision, data: JSON.stringify(document) };
    },
  };
}

/** The part that operations about all datasets in a token's scopes share. */
function createReadableRoute(catalogue: readonly Dataset[], operation: Operation) {
  return {
    path: operation.path,
    operation,
    getScopeKey: (principal: Principal) => listReadableDatasets(catalogue, principal).join(),
    parse({ query, principal, acceptedFormat }: OperationRequest) {
      const values = parseDataQuery(query, operation.parameters, acceptedFormat);
      if (values instanceof HttpError) return values;
      return { ...values, source: operation, datasets: listReadableDatasets(catalogue, principal) };
    },
  };
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(
  catalogue: readonly Dataset[],
  { scopes }: Principal,
): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}
