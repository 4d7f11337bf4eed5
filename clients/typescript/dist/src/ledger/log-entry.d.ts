import type { OpenPath } from './open-path.ts';
import { type Hash } from './tree.ts';
/** The part of an entry of the log that its changes are compared with. */
export interface LogEntry {
    readonly revision: number;
    readonly dataset: string;
    readonly added: number;
    readonly corrected: number;
    readonly retired: number;
    /** The digest of all changes, in hexadecimal. */
    readonly changes: string;
}
/** Reads the entry of a revision, which must have that leaf; undefined if the token may not. */
export declare function readEntry(open: OpenPath, revision: number, leaf: Hash): Promise<LogEntry | undefined>;
/** The text whose digest is in the log; undefined if the token may not read it. */
export declare function readEntryText(open: OpenPath, revision: number): Promise<string | undefined>;
/** Reads the changes of a revision as lines, in batches: no more than its entry says. */
export declare function readChangePages(open: OpenPath, entry: LogEntry): AsyncGenerator<string[], void, undefined>;
/** Reads the changes of a revision as lines, which must be those of its entry. */
export declare function readChangeLines(open: OpenPath, entry: LogEntry): Promise<string[]>;
export declare function ignoreMissing(cause: {
    status?: unknown;
}): undefined;
/** SHA-256 over the ascending digests of lines, in hexadecimal. */
export declare function digestLines(lines: readonly string[]): Promise<string>;
export declare function toHex(bytes: Hash): string;
