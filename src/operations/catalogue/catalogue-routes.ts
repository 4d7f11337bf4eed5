import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findNextDue } from '../../catalogue/model/next-due.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import { getAsOf } from '../../http/pipeline/read-parts.ts';
import type {
  DataRoute,
  JsonResult,
  OperationRequest,
  PageQuery,
  PageRoute,
} from '../../http/pipeline/route.ts';
import {
  type PageRequest,
  parseDataQuery,
  parsePageRequest,
} from '../../http/request/data-query.ts';
import { computeRequestCost, LIST_COST } from '../../http/request/request-cost.ts';
import { type EncodedPage, toPageRecords } from '../../http/responses/encode-page.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { Coverage } from '../../store/open-store.ts';
import { buildDataPackage, describeExports } from '../../tabular/data-package.ts';
import { dataPackageOperation } from '../data-package/data-package-operation.ts';
import { catalogueOperation } from './discovery.ts';

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
      const rest = listReadableDatasets(catalogue.slice(start), request.scopes);
      const datasets = rest.slice(0, limit);
      const nextPosition = rest.length > limit ? datasets.slice(-1) : undefined;
      return { ...page, source: operation, datasets, nextPosition };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read(query, { view, reader }) {
      const datasets = query.datasets.map((name) => view.catalogue.get(name));
      const { revision, entries } = await reader.coverage(datasets, view.revision);
      const texts = entries.map((entry) => JSON.stringify(toCatalogueEntry(entry)));
      const { nextPosition } = query;
      return { ...toPageRecords(query, { revision, texts, nextPosition }), source: FORM };
    },
  };
}

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(
  catalogue: readonly Dataset[],
): DataRoute<PageQuery, JsonResult> {
  return {
    ...createReadableRoute(catalogue, dataPackageOperation),
    cost: (_, result) => (result ? 1 : LIST_COST),
    async read(query, { view, reader }) {
      const datasets = query.datasets.map((name) => view.catalogue.get(name));
      const { revision, entries } = await describeExports(reader, datasets, view.revision);
      const asOf = getAsOf(view);
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
    parse({ target, scopes, acceptedFormat }: OperationRequest) {
      const values = parseDataQuery(target.parameters, operation.parameters, acceptedFormat);
      if (values instanceof HttpError) return values;
      return { ...values, source: operation, datasets: listReadableDatasets(catalogue, scopes) };
    },
  };
}

/** The scopes of datasets that a token has, as one text: tokens with the same read the same. */
export function createScopeKey(catalogue: readonly Dataset[]): (scopes: Scopes) => string {
  const allScopes = [...new Set(catalogue.map(({ scope }) => scope))];
  return (scopes) => allScopes.filter((scope) => scopes.has(scope)).join();
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(catalogue: readonly Dataset[], scopes: Scopes): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

type Scopes = ReadonlySet<string>;

/** Without the names of datasets, which no table has. */
const FORM = catalogueOperation([]);

function toCatalogueEntry(newest: Coverage): object {
  const { dataset, first, last, count, lastRevision } = newest;
  return {
    ...buildCatalogueEntry(dataset),
    key: getKeyFields(dataset),
    coverage: { first, last, count },
    lastRevision,
    nextDue: findNextDue(newest),
  };
}
