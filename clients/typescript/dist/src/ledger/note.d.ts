import { type Hash } from './tree.ts';
export interface VerifierKey {
    readonly name: string;
    readonly publicKey: Uint8Array<ArrayBuffer>;
}
/** The state of a log: its name, how many entries it has, and the hash over all of them. */
export interface Checkpoint {
    readonly origin: string;
    readonly size: number;
    readonly root: Hash;
}
export declare function formatVerifierKey(key: VerifierKey): Promise<string>;
/** Undefined where the text is no verifier key, or its id is of another one. */
export declare function parseVerifierKey(text: string): Promise<VerifierKey | undefined>;
/** The text of a note; undefined where it has no valid signature by the key. */
export declare function openNote(note: string, key: VerifierKey): Promise<string | undefined>;
export declare function formatCheckpoint({ origin, size, root }: Checkpoint): string;
export declare function parseCheckpoint(text: string): Checkpoint | undefined;
export declare function encodeBase64(bytes: Iterable<number>): string;
/** Undefined where the text is no base64, as it is written here. */
export declare function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined;
