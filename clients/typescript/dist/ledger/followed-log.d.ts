import type { LedgerKeys } from './follow-keys.ts';
import { type ReadHash } from './tree.ts';
import { type LogVerification, type OpenPath, type VerifierState, type VerifyLogOptions } from './verify-log.ts';
export interface FollowedLog extends LogVerification {
    readonly keys: LedgerKeys['keys'];
    readonly readHash: ReadHash;
}
/** The state of a copy by its newest checkpoint and its keys; undefined where it has none. */
export declare function createState(note: string | undefined, keys: LedgerKeys['keys']): VerifierState | undefined;
/** Verifies that a log goes on from the state of a copy. */
export declare function openFollowedLog(open: OpenPath, options: VerifyLogOptions): Promise<FollowedLog>;
/** Reads the revisions from one on, several at a time. */
export declare function readFollowedRevisions(open: OpenPath, first: number, log: FollowedLog): AsyncGenerator<{
    revision: number;
    digest: import("./tree.ts").Hash;
    checkpoint: string;
    publishedAt: string;
    keys: readonly {
        readonly key: string;
        readonly size: number;
        readonly note: string | null;
    }[];
} | {
    revision: number;
    entry: string;
    lines: AsyncIterable<string[]>;
    checkpoint: string;
    publishedAt: string;
    keys: readonly {
        readonly key: string;
        readonly size: number;
        readonly note: string | null;
    }[];
}, void, unknown>;
/** The signed note of the log that ends with a revision, and when that was published. */
export declare function readSigned(open: OpenPath, revision: number, { size, root, keys }: FollowedLog): Promise<{
    checkpoint: string;
    publishedAt: string;
    keys: readonly {
        readonly key: string;
        readonly size: number;
        readonly note: string | null;
    }[];
}>;
