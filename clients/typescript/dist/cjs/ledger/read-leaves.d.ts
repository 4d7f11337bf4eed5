import { type Checkpoint } from './note.ts';
import { type Hash, type ReadHash } from './tree.ts';
import type { OpenPath } from './verify-log.ts';
/** The hashes of all revisions of a log, from its tiles; together they make its root. */
export declare function readLeaves(open: OpenPath, checkpoint: Checkpoint): Promise<Hash[]>;
/** The hashes of full subtrees over these leaves. */
export declare function createReadHash(leaves: readonly Hash[]): ReadHash;
/** An index in groups of three digits, such as `x001/x234/067`. */
export declare function formatTileIndex(index: number): string;
