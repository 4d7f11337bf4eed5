/** Reads a file of a mirror by its path in it, such as `latest.json`, with any status. */
export type ReadFile = (path: string) => Promise<Response>;
/** What a mirror has of a revision. */
export interface Manifest {
    readonly revision: number;
    readonly publishedAt: string;
    readonly scopes: readonly string[];
    /** The revision that the mirror begins with, where that is not the first. */
    readonly since?: number;
    readonly datasets: Readonly<Record<string, DatasetFiles>>;
}
export interface DatasetFiles {
    readonly files: readonly string[];
    /** The month of each file, ascending, such as `2026-05`; absent where records have no dates. */
    readonly months?: readonly string[];
}
/** Opens a file. Rejects with an error that has the `status` of any but 200. */
export declare function openFile(read: ReadFile, path: string): Promise<Response>;
/** The newest revision of a mirror. Rejects where there is no mirror. */
export declare function readLatest(read: ReadFile): Promise<number>;
export declare function readManifest(read: ReadFile, revision: number): Promise<Manifest>;
/** The bytes of a data file, which must be those that its name says. */
export declare function readDataFile(read: ReadFile, path: string, dataset: string): Promise<ArrayBuffer>;
