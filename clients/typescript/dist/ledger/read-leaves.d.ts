import { type Checkpoint } from './note.ts';
import { type Hash, type ReadHash } from './tree.ts';
import type { OpenPath } from './verify-log.ts';
/** The hashes of all revisions of a log, from its tiles; together they make its root. */
export declare function readLeaves(open: OpenPath, checkpoint: Checkpoint): Promise<Hash[]>;
/** The hashes of full subtrees over these leaves. */
export declare function createReadHash(leaves: readonly Hash[]): ReadHash;
/** The digest of an entry, which is in the log of that size whether or not the entry may be read. */
export declare function readDigest(open: OpenPath, revision: number, size: number): Promise<Hash>;
/** An index in groups of three digits, such as `x001/x234/067`. */
export declare function formatTileIndex(index: number): string;
