/** The order of records by a field; folded: as if the letters of ASCII were capitals. */
export type RecordOrder = readonly (readonly [
    field: string,
    order: 'ascending' | 'descending' | 'folded'
])[];
/** The text format of a copy: a header or none, then a line for each record. */
export interface CopyFormat {
    readonly name: 'csv' | 'ndjson';
    readonly lineEnd: string;
    readonly hasHeader: boolean;
    /** The kind of a change, and the line of its record. */
    splitChange(line: string): readonly [change: string, line: string];
    /** The values of these fields in a line. */
    parseFields(line: string, header: string, fields: readonly string[]): string[];
}
export declare const COPY_FORMATS: readonly CopyFormat[];
/**
 * Applies pages of changes to a copy: merges two lists in the order of the dataset. Undefined if
 * they have other columns.
 */
export declare function mergeChanges(copy: string, pages: readonly string[], format: CopyFormat, order: RecordOrder): {
    readonly text: string;
    readonly count: number;
} | undefined;
export declare function compareKeys(a: readonly string[], b: readonly string[], order: RecordOrder): number;
export declare function fold(text: string): string;
