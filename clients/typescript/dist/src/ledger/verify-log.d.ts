import { type LedgerKeys } from './follow-keys.ts';
import { type Checkpoint } from './note.ts';
import type { OpenPath } from './open-path.ts';
import { type ReadHash } from './tree.ts';
import { type Restart } from './verification-error.ts';
/** The outcome of the last verification: keep it, and give it to the next one. */
export interface VerifierState {
    readonly origin: string;
    readonly key: string;
    readonly size: number;
    readonly root: string;
    readonly checkpoint: string;
    readonly verifiedAt: string;
    /** The keys that came before that one; states of earlier releases have none. */
    readonly earlierKeys?: readonly string[];
    /** The hash of each revision in base64, which tells a server that is behind from another history. */
    readonly leaves?: readonly string[];
}
export interface VerifyLogOptions {
    /** The outcome of the last verification; without it there is nothing to compare the log with. */
    readonly state?: VerifierState | undefined;
    /** Whether to verify the log alone, and nothing that is in it. */
    readonly logOnly?: boolean | undefined;
    /** The hashes of a copy of the log, which takes the place of those of the state. */
    readonly readHash?: ReadHash | undefined;
    /** The verifier key that the publisher has made known; by default that of the state. */
    readonly key?: string | undefined;
    /** The name of a log that was begun again, if that is accepted. */
    readonly acceptRestart?: string | undefined;
}
export interface LogVerification {
    readonly origin: string;
    /** How many revisions the log has. */
    readonly size: number;
    /** The hash over all of them, in base64. */
    readonly root: string;
    readonly key: string;
    /** The size at the last verification, which the log was compared with; null if with none. */
    readonly previousSize: number | null;
    /** Whether the key is the one that the service itself named, compared with nothing. */
    readonly isKeyFirstSeen: boolean;
    /** Keys that took the place of the known one, each signed by the one before it. */
    readonly rotatedKeys: readonly string[];
    /** The accepted restart; null if there was none. */
    readonly restart: Restart | null;
    /** To be kept for the next verification. */
    readonly state: VerifierState;
}
/**
 * Verifies the log alone: its checkpoint is signed, it only grew since the last verification, and
 * its newest revision is in it. Throws a `VerificationError` otherwise.
 */
export declare function verifyLog(open: OpenPath, options?: VerifyLogOptions): Promise<LogVerification>;
interface VerifiedGrowth {
    readonly log: LogVerification;
    readonly readHash: ReadHash;
}
/** Verifies that the log only grew. */
export declare function verifyGrowth(open: OpenPath, options: VerifyLogOptions): Promise<VerifiedGrowth>;
/** All keys that have signed the log, as the service lists them. */
export declare function readKeys(open: OpenPath): Promise<LedgerKeys>;
/** A checkpoint that the key has signed; undefined otherwise. */
export declare function openCheckpoint(note: string, keyText: string): Promise<Checkpoint | undefined>;
export {};
