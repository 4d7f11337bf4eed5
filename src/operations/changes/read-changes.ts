import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { WaitingClient } from '../../http/responses/encode-page.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { system } from '../../shared/system.ts';
import { createChangeSerializer } from '../../store/change-lines.ts';
import type { NetChangesFilter, StoreReader } from '../../store/open-store.ts';

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
