/** The state of a copy, which `PATH.tenor.json` holds. */
export interface CopyState {
    readonly dataset: string;
    readonly revision: number;
    /** Number and instant of the last revision of the dataset: another database has others. */
    readonly lastChange: string;
    /** SHA-256 of the copy: one that was changed otherwise is copied again. */
    readonly digest: string;
}
/** The state of an intact copy of a dataset, and its text. */
export declare function readCopy(dataset: string, path: string): Promise<{
    state: CopyState;
    text: string;
} | undefined>;
/** Writes the copy before its state: after a crash in between, the digest does not fit. */
export declare function writeCopy(path: string, text: string, state: Omit<CopyState, 'digest'>): Promise<void>;
