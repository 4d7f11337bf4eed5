import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { DEFAULT_LIMIT } from '../../../catalogue/model/response-parameters.ts';
import { dataPackageOperation } from '../../../catalogue/operations/data-package.ts';
import { catalogueOperation } from '../../../catalogue/operations/discovery.ts';
import { whenReady } from '../../../shared/awaitable.ts';
import { buildDataPackage } from '../../../tabular/data-package.ts';
import type { Principal } from '../../../tokens/token-registry.ts';
import { HttpError } from '../../http-error.ts';
import type { EncodedPage } from '../../pages/encode-page.ts';
import { computeRequestCost, LIST_COST } from '../../pages/request-cost.ts';
import type {
  DataRoute,
  JsonResult,
  OperationRequest,
  PageQuery,
  PageRoute,
} from '../../pipeline/route.ts';
import { type PageRequest, parseDataQuery, parsePageRequest } from '../../request/data-query.ts';

type CatalogueQuery = PageRequest & PageQuery & Pick<EncodedPage, 'nextPosition'>;

/** The operation that describes the datasets in a token's scopes. */
export function createCatalogueRoute(catalogue: readonly Dataset[]): PageRoute<CatalogueQuery> {
  const operation = catalogueOperation(catalogue);
  return {
    ...createReadableRoute(catalogue, operation),
    parse(request) {
      const page = parsePageRequest(request, operation.parameters);
      if (page instanceof HttpError) return page;
      const { limit = DEFAULT_LIMIT }: { readonly limit?: number } = page.filters;
      const start = catalogue.findIndex(({ name }) => name === page.position?.[0]) + 1;
      const rest = listReadableDatasets(catalogue.slice(start), request.principal);
      const datasets = rest.slice(0, limit);
      const nextPosition = rest.length > limit ? datasets.slice(-1) : undefined;
      return { ...page, source: operation, datasets, nextPosition };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    read: ({ nextPosition }, { readPage }) =>
      whenReady(readPage({ catalogue: true }), (page) => ({ ...page, nextPosition })),
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
    getScopeKey: createScopeKey(catalogue),
    parse({ query, principal, acceptedFormat }: OperationRequest) {
      const values = parseDataQuery(query, operation.parameters, acceptedFormat);
      if (values instanceof HttpError) return values;
      return { ...values, source: operation, datasets: listReadableDatasets(catalogue, principal) };
    },
  };
}

/** The scopes of datasets that a token has, as one text: tokens with the same read the same. */
export function createScopeKey(catalogue: readonly Dataset[]): (principal: Principal) => string {
  const allScopes = [...new Set(catalogue.map(({ scope }) => scope))];
  return ({ scopes }) => allScopes.filter((scope) => scopes.has(scope)).join();
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(
  catalogue: readonly Dataset[],
  { scopes }: Principal,
): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}
