import { buildCatalogueEntry } from '../../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { findNextDue } from '../../../catalogue/model/next-due.ts';
import { catalogueOperation } from '../../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../../schema/key-fields.ts';
import type { CoverageEntry } from '../../background/jobs.ts';
import { createReadableRoute } from '../readable-datasets.ts';

/** The operation that describes the datasets in a token's scopes. */
export function createCatalogueRoute(catalogue: readonly Dataset[]) {
  const operation = catalogueOperation(catalogue);
  return createReadableRoute(catalogue, operation, async ({ datasets }, { asOf, jobs }) => {
    const { revision, entries } = await jobs.readCoverage({ datasets, asOf });
    const data = entries.map((entry) => toCatalogueEntry(catalogue, entry));
    return { revision, data: JSON.stringify(data) };
  });
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
