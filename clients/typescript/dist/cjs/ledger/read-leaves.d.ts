import { type Checkpoint } from './note.ts';
import { type Hash, type ReadHash } from './tree.ts';
import type { OpenPath } from './verify-log.ts';
/** The hashes of all revisions of a log, from its tiles; together they make its root. */
export declare function readLeaves(open: OpenPath, checkpoint: Checkpoint): Promise<Hash[]>;
/** The hashes of full subtrees over these leaves. */
export declare function createReadHash(leaves: readonly Hash[]): ReadHash;
/** The digest of an entry, which is in the log of that size whether or not the entry may be read. */
export declare function readDigest(open: OpenPath, revision: number, size: number): Promise<Hash>;
/** The bytes of each hash or entry of a tile; an entry comes after its length in two bytes. */
export declare const TILE_STEPS: {
    readonly '0': 32;
    readonly entries: number;
};
/** The path of a tile of so many hashes or entries, without a slash before it. */
export declare function formatTilePath(kind: number | string, index: number, width: number): string;
