import type { LoadedState } from '../api/read-state.ts';
import { type CitedDatasets, findCitedRevision, findSampleShare } from './list-cited-datasets.ts';

/** The origin of figures, for pictures and print: the service, the revision and the instant. */
export function describeSource(state: LoadedState, datasets: CitedDatasets): string {
  const { api, revision } = state;
  return [
    `Tenor, ${api.tab.baseUrl.host}, revision ${findCitedRevision(state, datasets)?.revision ?? revision}`,
    ...(api.asOf ? [`as of ${api.asOf}`] : []),
    ...SAMPLE_TEXTS[findSampleShare(state, datasets)],
  ].join('; ');
}

const SAMPLE_TEXTS = {
  none: [],
  some: ['some of it may be sample data, made up'],
  all: ['sample data, made up'],
} as const;
