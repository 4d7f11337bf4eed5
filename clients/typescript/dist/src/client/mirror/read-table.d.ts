import type { Row } from './restore-records.ts';
interface Table {
    readonly columns: readonly string[];
    readonly rows: readonly Row[];
}
/** The columns and rows of a Parquet file: days are texts such as `2026-05-31`, integers numbers. */
export declare function readTable(bytes: ArrayBuffer, dataset: string): Promise<Table>;
export declare function formatDay(number: number): string;
export {};
