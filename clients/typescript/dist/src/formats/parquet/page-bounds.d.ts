import type { FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
/** A Parquet file would take too much memory, or is damaged. */
export declare class BoundsError extends Error {
}
export interface BoundedFile {
    readonly byteLength: number;
    slice(start: number, end?: number): ArrayBuffer;
    decompress(codec: string, bytes: Uint8Array, size: number): Uint8Array;
    /** What a row group may inflate to. */
    readonly maxGroupBytes: number;
}
/** Rejects row groups that are too large, and columns that share bytes of the file. */
export declare function assertFooterBounds(footer: FileMetaData): void;
/** The bytes of a row group's pages; rejects those that would take too much memory, or do not fit its rows. */
export declare function assertGroupBounds(file: BoundedFile, { columns, num_rows }: RowGroup, elements: readonly SchemaElement[]): number;
/** A name, or the message of an error, in one line. */
export declare function toSingleLine(text: unknown): string;
