import { type Tenor } from './client.ts';
import { type DatasetName } from './generated.ts';
/** What `syncCopy` did. */
export interface SyncResult {
    readonly revision: number;
    /** How many changes were applied; undefined if the whole dataset was copied. */
    readonly changes: number | undefined;
}
/**
 * Makes a file the newest copy of a dataset: CSV or NDJSON, byte for byte the export of its
 * revision. Later calls apply the changes of quotes, securities and funds, and copy any other
 * dataset again only if it changed. The file is replaced in one step, so that a crash leaves the
 * old copy. Everything is copied again where the file, or the database of the service, is another
 * one.
 */
export declare function syncCopy(tenor: Tenor, dataset: DatasetName, path: string): Promise<SyncResult>;
