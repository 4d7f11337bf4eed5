import type { ExplorerState } from '../api/explorer-context.ts';

/** The origin of figures, for pictures and print: the service, the revision and the instant. */
export function describeSource({ api, revision, revisions }: ExplorerState): string {
  return [
    `Tenor, ${api.tab.baseUrl.host}, revision ${revision}`,
    ...(api.asOf ? [`as of ${api.asOf}`] : []),
    ...(revisions.some(({ sample }) => sample) ? ['sample data, made up'] : []),
  ].join('; ');
}
