import {
  createSamplePublications,
  type SamplePublication,
} from '../../scripts/sample/sample-publications.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';

export const publications: readonly SamplePublication[] = createSamplePublications();

/** Returns the key of a record as text. */
function createKeyGetter(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const names = key.map(({ column }) => column);
  const keyColumns = columns.filter(({ name }) => names.includes(name));
  return (record) => keyColumns.map((column) => column.getValue(record)).join(' ');
}

/** The current records of a dataset after the publications up to an instant. */
export function getCurrentRecords(
  dataset: Dataset,
  asOf: Date = new Date('2026-08-01T00:00:00Z'),
): AnyRecord[] {
  const getKey = createKeyGetter(dataset);
  const records = publications
    .filter((publication) => publication.dataset === dataset && publication.at <= asOf)
    .flatMap((publication) => publication.records);
  return [...new Map(records.map((record) => [getKey(record), record])).values()];
}
