import type { DatasetName } from '../../../src/client/generated.ts';
import type { Tenor } from './client.ts';
import type { SyncResult } from './copy-sync.ts';

export type { SyncResult };

/** Does the same as `tenor.sync`. */
export function syncCopy(tenor: Tenor, dataset: DatasetName, path: string): Promise<SyncResult> {
  return tenor.sync(dataset, path);
}
