import type { DataReader, SchemaElement } from 'hyparquet';
interface EncodedValues {
    readonly encoding: string | undefined;
    /** The most values that there can be: those of the page, with nulls. */
    readonly count: number;
    readonly element: SchemaElement;
    readonly maxBytes: number;
}
/** Rejects values that would be decoded to more than their number, or to too many bytes. */
export declare function assertEncodedValues(reader: DataReader, values: EncodedValues): void;
/** Rejects runs of more values than there can be. */
export declare function assertRuns({ view, offset }: DataReader, { width, count, bytes }: {
    width: number;
    count: number;
    bytes: number;
}): void;
export {};
