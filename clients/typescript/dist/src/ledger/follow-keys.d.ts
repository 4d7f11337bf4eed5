import { type VerifierKey } from './note.ts';
import { type Restart } from './verification-error.ts';
/** The response to `/ledger/keys`: the keys of the log, oldest first. */
export interface LedgerKeys {
    readonly origin: string;
    readonly key: string;
    readonly keys: readonly {
        readonly key: string;
        readonly size: number;
        readonly note: string | null;
    }[];
}
/** The newest key that a known one leads to, and how. */
export interface FollowedKeys {
    readonly key: string;
    /** The keys that took the place of others of the same log. */
    readonly rotatedKeys: readonly string[];
    readonly restart: Restart | null;
}
/** Follows keys from a known one, perhaps by the kept one: each must be signed by the one before it. */
export declare function followKeys(knownKey: string, { keys }: LedgerKeys, keptKey?: string): Promise<FollowedKeys | undefined>;
/** A restart stops every verifier until a person accepts it. */
export declare function assertAccepted(restart: Restart, accepted?: string): void;
/** The text of a note; undefined where the key has not signed it. */
export declare function openSignedNote(note: string, key: VerifierKey): Promise<string | undefined>;
