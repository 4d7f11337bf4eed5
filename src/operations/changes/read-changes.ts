import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { PlannedVintages } from '../../http/request/plan-query.ts';
import type { WaitingClient } from '../../http/responses/encode-page.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { system } from '../../shared/system.ts';
import { createChangeSerializer, serializeStatus } from '../../store/change-lines.ts';
import type {
  Correction,
  CorrectionFilter,
  NetChangesFilter,
  StoreReader,
  Vintage,
  VintageFilter,
} from '../../store/open-store.ts';

/** A page of the changes between two revisions. */
export interface ChangesSelection
  extends Pick<NetChangesFilter, 'since' | 'until' | 'limit' | 'isAsStored'> {
  /** Where it begins: after so many changes of the key that follows another; absent on the first. */
  readonly position?: readonly (string | number)[] | undefined;
}

/** Records that are compared at once: other jobs of the thread run in between. */
const [MIN_BATCH, MAX_BATCH] = [100, 5_000];

/**
 * Reads changes as JSON until the page is full, and where the next one begins: records that are as
 * they were take time, but no place.
 */
export async function readChanges(
  reader: Pick<StoreReader, 'netChanges'>,
  dataset: Dataset,
  { since, until, limit, position, isAsStored }: ChangesSelection,
  client?: WaitingClient,
) {
  const toTexts = createChangeSerializer(dataset);
  const texts: string[] = [];
  const [skipped = 0, ...key] = position ?? [];
  let skip = Number(skipped);
  let after: NetChangesFilter['after'] = key.length > 0 ? key : undefined;
  // Where a revision was reverted, nearly all records are as they were: batches grow.
  for (let minBatch = MIN_BATCH; ; minBatch *= 2) {
    // One change more than the limit shows whether there is another page.
    const missing = limit + 1 - texts.length;
    const batch = Math.min(Math.max(missing, minBatch), MAX_BATCH);
    const filter = { since, until, limit: batch, after, isAsStored };
    const { revision, changes, last } = await reader.netChanges(dataset, filter);
    for (const change of changes) {
      const changeTexts = toTexts(change).slice(skip);
      if (texts.length + changeTexts.length > limit) {
        const fitting = limit - texts.length;
        texts.push(...changeTexts.slice(0, fitting));
        return { revision, texts, nextPosition: [skip + fitting, ...(after ?? [])] };
      }
      texts.push(...changeTexts);
      [after, skip] = [change.key, 0];
    }
    if (!last) return { revision, texts };
    after = last;
    await system.nextTurn();
    if (client?.signal.aborted) throw new AbandonedError();
  }
}

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

function serializeCorrection(correction: Correction): string {
  const { revision, publishedAt, change, old, new: replacement } = correction;
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}

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
  const fields = record.slice(0, -1) + serializeStatus(status, hasOwnStatus);
  return `${fields},${JSON.stringify(validity).slice(1)}`;
}
