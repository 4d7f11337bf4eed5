import type { OpenPath } from '../../ledger/open-path.ts';
import type { Verification, VerifyOptions } from '../../ledger/verify-ledger.ts';
import { type DatasetFiles, type ReadFile } from './mirror-files.ts';
import { type MirrorRecord, type RowSelector } from './restore-records.ts';
/** A mirror as of the revision that was its newest when it was opened. */
export interface OpenedMirror {
    readonly revision: number;
    /** The first revision that it has. */
    readonly since: number;
    /** Answers paths of a service that followers and verifiers request, from the mirror’s files. */
    readonly open: OpenPath;
}
/**
 * Opens a mirror. Rejects where there is none. A kept checkpoint takes the place of one that says the
 * same: a mirror has it as it was signed first, perhaps with the key before.
 */
export declare function openMirror(read: ReadFile, keptCheckpoint?: string): Promise<OpenedMirror>;
/** Verifies a mirror as `verifyLedger` verifies a service. */
export declare function verifyMirror(read: ReadFile, options?: VerifyOptions): Promise<Verification>;
/** The records of data files, one file after the other; the next ones are read meanwhile. */
export declare function readFileRecords(read: ReadFile, dataset: string, files: DatasetFiles['files'], { readAhead, selectRows }?: ReadOptions): AsyncGenerator<MirrorRecord[], void, undefined>;
export interface ReadOptions {
    /** The number of files that are read before they are needed. */
    readonly readAhead?: number;
    /** Which rows of a file are records that are needed; by default all. */
    readonly selectRows?: RowSelector | undefined;
}
