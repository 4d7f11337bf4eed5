import { useExplorer } from '../api/explorer-context.ts';
import type { CorrectionEntry, RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { type CorrectionCounts, canExtendRecords, countExtensions } from './count-extensions.ts';

/** How many corrections are examined: those of older revisions are not distinguished. */
const MAX_EXAMINED_CORRECTIONS = 200;

/**
 * Tells records that only gained periods from corrected ones, revision by revision; undefined while
 * that loads.
 */
export function useExtensions(
  revisions: readonly RevisionEntry[],
): Map<number, CorrectionCounts> | undefined {
  const { catalogue } = useExplorer();
  const entry = catalogue.find(
    (candidate) =>
      canExtendRecords(candidate) &&
      revisions.some(({ dataset, corrected }) => dataset === candidate.name && corrected > 0),
  );
  const { data, failure } = useQuery<readonly CorrectionEntry[]>(
    entry && {
      path: `/corrections/${entry.name}`,
      parameters: { limit: MAX_EXAMINED_CORRECTIONS },
    },
  );
  if (entry && data) return countExtensions(entry, revisions, data);
  return entry && !failure ? undefined : new Map();
}
