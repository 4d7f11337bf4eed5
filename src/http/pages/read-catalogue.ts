import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findNextDue } from '../../catalogue/model/next-due.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { Coverage, StoreReader } from '../../store/open-store.ts';

/** Reads the entries of datasets in the catalogue as JSON. */
export async function readCatalogue(
  reader: Pick<StoreReader, 'coverage'>,
  datasets: readonly Dataset[],
  asOf: number | undefined,
) {
  const { revision, entries } = await reader.coverage(datasets, asOf);
  return { revision, texts: entries.map((entry) => JSON.stringify(toCatalogueEntry(entry))) };
}

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
