import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Coverage, DataOrigin, RevisionedList, StoreReader } from '../store/open-store.ts';
import { readExportLayout } from './export-dataset.ts';
import type { TabularColumn } from './layout.ts';

/** The part of a reader that describing exports uses. */
export type ExportsReader = Pick<StoreReader, 'coverage' | 'records' | 'origins'>;

/** The CSV export of a dataset. Can be sent between threads. */
export interface ExportDescription extends Pick<Coverage, 'lastRevision'> {
  readonly dataset: string;
  readonly columns: readonly TabularColumn[];
  /** Where its data came from, newest first. */
  readonly origins: readonly DataOrigin[];
}

/** Describes exports, all of one revision: the current one, or as of another. */
export async function describeExports(
  reader: ExportsReader,
  datasets: readonly Dataset[],
  asOf?: number,
): Promise<RevisionedList<ExportDescription>> {
  const { revision, entries } = await reader.coverage(datasets, asOf);
  const descriptions: ExportDescription[] = [];
  for (const { dataset, lastRevision } of entries) {
    const { columns } = await readExportLayout(reader, dataset, revision);
    const origins = await reader.origins(dataset.name, revision, MAX_ORIGINS);
    descriptions.push({ dataset: dataset.name, lastRevision, columns, origins });
  }
  return { revision, entries: descriptions };
}

/** Data that is loaded daily comes from ever more files: the newest ones tell what they are. */
const MAX_ORIGINS = 100;
