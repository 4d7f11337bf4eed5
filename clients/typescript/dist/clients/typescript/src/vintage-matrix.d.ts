import type { VintagesRecord } from '../../../src/client/generated.ts';
/** What was valid at each revision that changed one of the records. */
export interface VintageMatrix {
    /** The revisions in their order, with the instants at which they were published. */
    readonly columns: readonly {
        readonly revision: number;
        readonly published: string;
    }[];
    readonly rows: readonly VintageRow[];
}
export interface VintageRow {
    /** The fields that identify the record; of a fund, also the label of the period. */
    readonly key: Readonly<Record<string, string>>;
    readonly measure: string;
    /** The value at the revision of each column; null where the record was not published. */
    readonly values: readonly (string | number | null)[];
}
/** The matrix of states of records, in the order in which they came. */
export declare function buildVintageMatrix(dataset: string, states: readonly VintagesRecord[], measures?: readonly string[]): VintageMatrix;
