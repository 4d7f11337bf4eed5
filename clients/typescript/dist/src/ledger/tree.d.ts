export type Hash = Uint8Array<ArrayBuffer>;
/** The hash of a full subtree: of 2^level leaves, which begin at position × 2^level. */
export type ReadHash = (level: number, position: number) => Hash | Promise<Hash>;
export declare function sha256(...parts: readonly Uint8Array[]): Promise<Hash>;
export declare const hashLeaf: (entry: Uint8Array) => Promise<Hash>;
export declare const hashNode: (left: Hash, right: Hash) => Promise<Hash>;
/** The hash of the leaves of a subtree; that of the first ones is the root of an earlier tree. */
export declare function hashSubtree(start: number, end: number, readHash: ReadHash): Promise<Hash>;
/** The hashes that lead from a leaf to the root of the tree of that size, from the bottom. */
export declare function proveInclusion(leaf: number, size: number, readHash: ReadHash, start?: number): Promise<Hash[]>;
/** The hashes that show that a tree begins with all leaves of an earlier one. */
export declare function proveConsistency(from: number, size: number, readHash: ReadHash, start?: number, isWhole?: boolean): Promise<Hash[]>;
export declare function isSameHash(a: Uint8Array, b: Uint8Array): boolean;
/** The end of the left part: the largest power of two below the number of leaves. */
export declare function findMiddle(start: number, end: number): number;
