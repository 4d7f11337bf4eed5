import type { ExplorerState } from '../api/explorer-context.ts';

/** Where figures come from, for pictures and paper: the service, the revision, the instant. */
export function describeSource({ api, revision, revisions }: ExplorerState): string {
  return [
    `Tenor, ${api.tab.baseUrl.host}, revision ${revision}`,
    ...(api.asOf ? [`as of ${api.asOf}`] : []),
    ...(revisions.some(({ sample }) => sample) ? ['sample data, made up'] : []),
  ].join('; ');
}
