/** What is wrong with a log, or with data that it should prove. */
export type LedgerProblemName = 'no-log' | 'unsigned' | 'unknown-key' | 'restarted' | 'shorter' | 'forked' | 'rewritten' | 'damaged-tile' | 'missing-entry' | 'altered-entry' | 'altered-changes' | 'altered-data';
/** A log that goes on under another name, after a restored backup or an accepted loss. */
export interface Restart {
    readonly origin: string;
    /** Up to this revision the logs are the same. */
    readonly commonSize: number;
    /** Whether the key of the earlier log has signed it; not where that key was lost. */
    readonly isSigned: boolean;
}
export interface LedgerProblem {
    readonly problem: LedgerProblemName;
    /** A sentence for people. */
    readonly message: string;
    /** Of a problem with one revision. */
    readonly revision?: number;
    /** Of a problem with one dataset. */
    readonly dataset?: string;
    /** Of a log that was begun again. */
    readonly restart?: Restart;
}
/** An alarm: the service could not prove what it shows. Failed requests are a `TenorError`. */
export declare class VerificationError extends Error {
    readonly name = "VerificationError";
    /** All problems that were found, at least one. */
    readonly problems: readonly LedgerProblem[];
    constructor(problems: readonly LedgerProblem[]);
}
export declare function createAlarm(problem: LedgerProblemName, message: string, subject?: Omit<LedgerProblem, 'problem' | 'message'>): VerificationError;
