import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter, StoreReader } from '../../store/open-store.ts';

/** Reads a page of corrections as JSON, and where the next one begins. */
export async function readCorrections(
  reader: Pick<StoreReader, 'corrections'>,
  dataset: Dataset,
  filter: CorrectionFilter,
  asOf: number | undefined,
) {
  const { limit } = filter;
  // One record more than requested shows whether there is another page.
  const page = { ...filter, limit: limit + 1 };
  const { revision, entries } = await reader.corrections(dataset, page, asOf);
  const corrections = entries.slice(0, limit);
  const last = entries.length > limit ? corrections.at(-1) : undefined;
  const key = last && getKeyValues(getStorageTable(dataset), JSON.parse(last.old) as AnyRecord);
  const nextPosition = key && [last.revision, ...key];
  return { revision, texts: corrections.map(serializeCorrection), nextPosition };
}

/** Records are stored as JSON. */
function serializeCorrection(correction: Correction): string {
  const { revision, publishedAt, change, old, new: replacement } = correction;
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
