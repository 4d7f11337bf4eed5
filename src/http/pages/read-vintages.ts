import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StoreReader, Vintage, VintageFilter } from '../../store/open-store.ts';
import type { PlannedVintages } from '../request/plan-query.ts';

/** Reads a page of states of records as JSON, and where the next one begins. */
export async function readVintages(
  reader: Pick<StoreReader, 'vintages'>,
  dataset: Dataset,
  { selection, ...filter }: PlannedVintages,
  asOf: number | undefined,
) {
  const { limit } = selection;
  // One state more than requested shows whether there is another page.
  const page = { ...filter, selection: { ...selection, dataset, limit: limit + 1 } };
  const { revision, entries } = await reader.vintages(page as VintageFilter, asOf);
  const vintages = entries.slice(0, limit);
  const last = entries.length > limit ? vintages.at(-1) : undefined;
  const nextPosition = last && [...last.key, last.since];
  const hasOwnStatus = Object.hasOwn(dataset.fields, 'status');
  const texts = vintages.map((vintage) => serializeVintage(vintage, hasOwnStatus));
  return { revision, texts, nextPosition };
}

function serializeVintage(
  { key: _, record, status, ...validity }: Vintage,
  hasOwnStatus: boolean,
): string {
  const statusMember = status === undefined || hasOwnStatus ? '' : `,"status":"${status}"`;
  return `${record.slice(0, -1)}${statusMember},${JSON.stringify(validity).slice(1)}`;
}
