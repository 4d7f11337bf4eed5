import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { QueryFailure } from './query-failure.ts';
import type { LoadedState } from './read-state.ts';
import type { DatasetEntry } from './types.ts';

export interface ExplorerState extends LoadedState {
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
