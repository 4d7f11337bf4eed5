/** The package `tenor`, as adapters import it. */
export { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
export { funds } from '../../catalogue/datasets/funds.ts';
export { quotes } from '../../catalogue/datasets/quotes.ts';
export { securities } from '../../catalogue/datasets/securities.ts';
export * from '../../catalogue/datasets/series/index.ts';
export type { FileCell } from '../../formats/read-contents.ts';
export { type Group, groupAndSum, sharesOfTotal } from './group-and-sum.ts';
export type { JsonValue } from './json-values.ts';
export type { Line, OpenedFile, RowSource, Sheet } from './opened-file.ts';
export * from './parse-cells.ts';
export type { RecordIn } from './record-in.ts';
export { at, type Location, type Row, unpivot } from './row.ts';
export type { AdapterOptions } from './run-adapter.ts';
export type { TableOptions } from './table-batches.ts';
