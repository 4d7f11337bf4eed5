import type { Tenor } from './client.ts';
import type { SyncResult } from './copy-sync.ts';
import type { DatasetName } from './generated.ts';
export type { SyncResult };
/** Does the same as `tenor.sync`. */
export declare function syncCopy(tenor: Tenor, dataset: DatasetName, path: string): Promise<SyncResult>;
