import { writeDelimited } from './delimited/write.ts';
import type { FormatName, TableWriter } from './format.ts';
import { writeParquet } from './parquet/write.ts';
import { writeXlsx } from './xlsx/write.ts';

/** The formats that hold tables; the others hold records as they are. */
export type TableFormat = Exclude<FormatName, 'json' | 'ndjson'>;

/** How a table is written, by format. */
export const writers: Readonly<Record<TableFormat, TableWriter>> = {
  csv: writeDelimited(','),
  tsv: writeDelimited('\t'),
  xlsx: writeXlsx,
  parquet: writeParquet,
};
