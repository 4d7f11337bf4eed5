import { type AnyDatasetName } from '../../../src/client/generated.ts';
import type { Changes } from './changes.ts';
import { type CopyFormat } from './copy-format.ts';
import type { AllParameters, OperationRecord, Parameters } from './operation-types.ts';
import type { PagedOperation } from './paged-operation.ts';
/** The outcome of a synchronisation. */
export interface SyncResult {
    readonly revision: number;
    /** The number of changes that were applied; undefined if the whole dataset was copied. */
    readonly changes: number | undefined;
}
/** The reads of a client that a copy is made of. */
export interface CopySource {
    readonly changes: Changes;
    readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;
    export(dataset: AnyDatasetName, format: CopyFormat['name']): Promise<Response>;
    download(name: 'changes', format: CopyFormat['name'], parameters: AllParameters<'changes'>): Promise<Response>;
}
/**
 * Makes a file the newest copy of a dataset: CSV or NDJSON, byte for byte the export of its
 * revision. Later calls apply the changes of quotes, securities and funds, and copy any other
 * dataset again only if it changed. The file is replaced in one step, so that a crash leaves the
 * old copy. Everything is copied again where the file, or the database of the service, is another
 * one.
 */
export declare class CopySync {
    #private;
    constructor(source: CopySource, dataset: AnyDatasetName, path: string);
    /** `onReplaced` is called if the database was replaced by one with fewer revisions. */
    run(onReplaced: () => void): Promise<SyncResult>;
}
