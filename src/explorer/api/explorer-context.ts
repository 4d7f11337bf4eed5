import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient } from './api-client.ts';
import type { QueryFailure } from './query-failure.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';

export interface ExplorerState {
  readonly api: ApiClient;
  readonly catalogue: readonly DatasetEntry[];
  /** The current revision, or the one as of the chosen instant; 0 before the first. */
  readonly revision: number;
  /** The last revisions up to that one, newest first. */
  readonly revisions: readonly RevisionEntry[];
  readonly hasOlder: boolean;
  /** Increases whenever all queries are to be repeated. */
  readonly refreshCount: number;
  reportFailure(failure: QueryFailure): void;
}

export const ExplorerContext = createContext<ExplorerState>(undefined as never);

export function useExplorer(): ExplorerState {
  return useContext(ExplorerContext);
}

/** The dataset of a shape. A view is shown only if the token has access to its dataset. */
export function useDataset(shape: DatasetEntry['shape']): DatasetEntry {
  const { catalogue } = useExplorer();
  const entry = catalogue.find((dataset) => dataset.shape === shape);
  if (!entry) throw new TypeError(`the token has no access to ${shape}`);
  return entry;
}
