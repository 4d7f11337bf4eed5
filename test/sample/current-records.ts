import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import {
  createSamplePublications,
  type SamplePublication,
} from '../../src/sample/sample-publications.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';

export const publications: readonly SamplePublication[] = createSamplePublications();

/** What a record is told apart by in its dataset. */
export function keyOf(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const names = key.map(({ column }) => column);
  const parts = columns.filter(({ name }) => names.includes(name));
  return (record) => parts.map((part) => part.getValue(record)).join(' ');
}

/** The records that stand once everything up to an instant is published. */
export function standing(
  dataset: Dataset,
  asOf: Date = new Date('2026-08-01T00:00:00Z'),
): AnyRecord[] {
  const key = keyOf(dataset);
  const published = publications.filter((each) => each.dataset === dataset && each.at <= asOf);
  const records = published.flatMap((each) => each.records);
  return [...new Map(records.map((record) => [key(record), record])).values()];
}
