import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient } from './api-client.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';
import type { QueryFailure } from './use-query.ts';

/** What every view needs of the service. */
export interface ExplorerState {
  readonly api: ApiClient;
  /** Every dataset that the token opens. */
  readonly catalogue: readonly DatasetEntry[];
  /** The number of the revision that is looked at; 0 before the first. */
  readonly revision: number;
  /** What was published up to there, newest first: no more than the last of them. */
  readonly revisions: readonly RevisionEntry[];
  /** Whether there are older ones. */
  readonly hasOlder: boolean;
  /** Grows whenever everything is to be asked anew. */
  readonly refreshCount: number;
  /** Says that a question had no answer, for a reason that may pass. */
  reportFailure(failure: QueryFailure): void;
}

export const ExplorerContext = createContext<ExplorerState>(undefined as never);

/** The dataset of a shape. Views that need one are shown only where the token opens it. */
export function useDataset(shape: DatasetEntry['shape']): DatasetEntry {
  const { catalogue } = useContext(ExplorerContext);
  const entry = catalogue.find((each) => each.shape === shape);
  if (!entry) throw new TypeError(`no dataset of ${shape} is open here`);
  return entry;
}
