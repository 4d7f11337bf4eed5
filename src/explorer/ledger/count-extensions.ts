import type { CorrectionEntry, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { hasOnlyAddedPeriods } from '../corrections/revision-corrections.ts';

/** The number of corrections examined; older ones are not distinguished. */
export const MAX_EXAMINED_CORRECTIONS = 200;

/** Records that the service counts as corrected: those with changed values, and those that gained periods. */
export interface CorrectionCounts {
  readonly corrected: number;
  readonly extended: number;
}

/** Counts by revision, for revisions whose corrections are all given. */
export function countExtensions(
  entry: Pick<DatasetEntry, 'fields' | 'name'>,
  revisions: readonly RevisionEntry[],
  corrections: readonly CorrectionEntry[],
): Map<number, CorrectionCounts> {
  const groups = Map.groupBy(corrections, ({ revision }) => revision);
  const counts = new Map<number, CorrectionCounts>();
  for (const { revision, dataset, corrected, retired } of revisions) {
    const group = groups.get(revision) ?? [];
    if (dataset !== entry.name || group.length !== corrected + retired) continue;
    const extended = group.filter((correction) => hasOnlyAddedPeriods(correction, entry)).length;
    counts.set(revision, { corrected: corrected - extended, extended });
  }
  return counts;
}

/** Whether a revision changed or retired what had been published, as far as known. */
export function hasCorrections(
  { revision, corrected, retired }: RevisionEntry,
  counts: ReadonlyMap<number, CorrectionCounts>,
): boolean {
  return (counts.get(revision)?.corrected ?? corrected) + retired > 0;
}
