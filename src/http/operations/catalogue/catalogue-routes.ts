import { buildCatalogueEntry } from '../../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { findNextDue } from '../../../catalogue/model/next-due.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { dataPackageOperation } from '../../../catalogue/operations/data-package.ts';
import { catalogueOperation } from '../../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../../schema/key-fields.ts';
import { buildDataPackage } from '../../../tabular/data-package.ts';
import type { Principal } from '../../../tokens/token-registry.ts';
import type { CoverageEntry } from '../../background/jobs.ts';
import { HttpError } from '../../http-error.ts';
import { LIST_COST } from '../../pages/request-cost.ts';
import type { DataRoute, JsonResult, OperationQuery } from '../../pipeline/route.ts';
import { parseDataQuery } from '../../request/data-query.ts';

/** The operation that describes the datasets in a token's scopes. */
export function createCatalogueRoute(catalogue: readonly Dataset[]) {
  const operation = catalogueOperation(catalogue);
  return createReadableRoute(catalogue, operation, async ({ datasets }, { asOf, jobs }) => {
    const { revision, entries } = await jobs.readCoverage(datasets, asOf);
    const data = entries.map((entry) => toCatalogueEntry(catalogue, entry));
    return { revision, data: JSON.stringify(data) };
  });
}

/** The operation that describes the exports of the datasets in a token's scopes. */
export function createDataPackageRoute(catalogue: readonly Dataset[]) {
  const operation = dataPackageOperation;
  return createReadableRoute(catalogue, operation, async ({ datasets }, { asOf, jobs }) => {
    const { revision, entries } = await jobs.describeExports(datasets, asOf);
    const document = buildDataPackage({ catalogue, exports: entries, revision, asOf });
    return { revision, data: JSON.stringify(document) };
  });
}

/** A request for what there is of all datasets in a token's scopes. */
interface ReadableQuery extends OperationQuery {
  readonly datasets: readonly string[];
}

/** An operation about all datasets in a token's scopes, with the parameters of every response. */
function createReadableRoute(
  catalogue: readonly Dataset[],
  operation: Operation,
  read: DataRoute<ReadableQuery, JsonResult>['read'],
): DataRoute<ReadableQuery, JsonResult> {
  return {
    path: operation.path,
    operation,
    isUnfiltered: true,
    getScopeKey: (principal) => listReadableDatasets(catalogue, principal).join(),
    parse({ query, principal }) {
      const values = parseDataQuery(query, operation.parameters);
      if (values instanceof HttpError) return values;
      return { asOf: values.asOf, datasets: listReadableDatasets(catalogue, principal) };
    },
    cost: (_, result) => (result ? 1 : LIST_COST),
    read,
  };
}

/** The names of the datasets in a token's scopes. */
export function listReadableDatasets(
  catalogue: readonly Dataset[],
  { scopes }: Principal,
): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
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
