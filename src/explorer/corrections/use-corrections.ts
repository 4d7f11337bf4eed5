import type { ApiRequest, CorrectionEntry, DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import {
  groupByRevision,
  type RevisionCorrections,
  type ValueLabel,
} from './revision-corrections.ts';

/** The corrections of something, with the query that they come from. */
export interface CorrectionsQuery {
  readonly request: ApiRequest;
  readonly query: QueryResult<unknown>;
  readonly corrections: readonly RevisionCorrections[];
}

const MAX_CORRECTIONS = 200;

/** The newest corrections of a dataset, or of those of its records that the parameters select. */
export function useCorrections(
  entry: DatasetEntry,
  parameters: ApiRequest['parameters'],
  labels?: readonly ValueLabel[],
): CorrectionsQuery {
  const request = {
    path: `/corrections/${entry.name}`,
    parameters: { ...parameters, limit: MAX_CORRECTIONS },
  };
  const query = useQuery<readonly CorrectionEntry[]>(request);
  return { request, query, corrections: groupByRevision(entry, query.data ?? [], labels) };
}
