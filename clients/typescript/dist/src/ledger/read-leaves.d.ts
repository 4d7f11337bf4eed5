import { type Checkpoint } from './note.ts';
import type { OpenPath } from './open-path.ts';
import { type Hash, type ReadHash } from './tree.ts';
/** One in each five minutes of ten years. */
export declare const MAX_REVISIONS = 1048576;
/** The hashes of the first revisions of a log, as they were verified. */
export interface KnownTree {
    readonly size: number;
    /** Undefined if none were kept. */
    readonly readHash: ReadHash | undefined;
}
/** The hashes of a log, from its tiles beyond those that are known; together they make its root. */
export declare function readTree(open: OpenPath, checkpoint: Checkpoint, known?: KnownTree): Promise<ReadHash>;
/** The hashes of full subtrees over these leaves, perhaps after those of a known tree. */
export declare function createReadHash(leaves: readonly Hash[], known?: KnownTree): ReadHash;
/** The digest of an entry, which is in the log of that size whether or not the entry may be read. */
export declare function readDigest(open: OpenPath, revision: number, size: number): Promise<Hash>;
/** The bytes of each hash or entry of a tile; an entry comes after its length in two bytes. */
export declare const TILE_STEPS: {
    readonly '0': 32;
    readonly entries: number;
};
/** The path of a tile of so many hashes or entries, without a slash before it. */
export declare function formatTilePath(kind: number | string, index: number, width: number): string;
