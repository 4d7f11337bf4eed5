import type { OpenPath } from './open-path.ts';
import { type LogVerification, type VerifyLogOptions } from './verify-log.ts';
export interface VerifyOptions extends VerifyLogOptions {
    /** The datasets whose records are compared with what was published; by default all. */
    readonly datasets?: readonly string[] | undefined;
}
export interface Verification extends LogVerification {
    /** The first revision that was verified: 1, or that with which a mirror begins, whose records are taken as they are. */
    readonly firstRevision: number;
    /** The number of revisions whose entries and changes were compared with the log. */
    readonly revisionsChecked: number;
    /** Revisions that the token may not read: that they are in the log is all that is known of them. */
    readonly unreadableRevisions: readonly number[];
    /** The number of compared records, by dataset. */
    readonly datasets: Readonly<Record<string, number>>;
}
/**
 * Verifies the log, that revisions and their changes are those of the log, and that the records that
 * the service sends are those that the changes make. Throws a `VerificationError` otherwise.
 */
export declare function verifyLedger(open: OpenPath, options?: VerifyOptions, firstRevision?: number): Promise<Verification>;
