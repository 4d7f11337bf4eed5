import { diffRecords, type ValueDifference } from '../../catalogue/model/diff-records.ts';
import type { CorrectionEntry, DatasetEntry, JsonRecord, RevisionEntry } from '../api/types.ts';
import { hasOnlyAddedPeriods } from '../corrections/revision-corrections.ts';

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

/** The figure that corrections changed most, in relation to what it was, with its record. */
export function findLargestChange(
  entry: Pick<DatasetEntry, 'fields'>,
  corrections: readonly Pick<CorrectionEntry, 'old' | 'new'>[],
): (ValueDifference & { readonly record: JsonRecord }) | undefined {
  const changes = corrections.flatMap(({ old, new: record }) =>
    record
      ? diffRecords(entry, old, record)
          .filter(isOfFigures)
          .map((difference) => ({ ...difference, record }))
      : [],
  );
  return changes.toSorted((a, b) => getSize(b) - getSize(a))[0];
}

const isOfFigures = ({ old, new: current }: ValueDifference) =>
  typeof old === 'number' && typeof current === 'number';

const getSize = ({ old, new: current }: ValueDifference) =>
  Math.abs(Number(current) - Number(old)) / (Math.abs(Number(old)) || Number.MIN_VALUE);
