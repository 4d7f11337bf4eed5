import { writeArrow } from './arrow/write.ts';
import { createDelimitedWriter, writeSpreadsheetCsv } from './delimited/write-delimited.ts';
import type { FileFormat, TableWriter } from './file-contents.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import { writeXlsx } from './xlsx/write-xlsx.ts';

/** The formats of files that hold tables; the others hold records as they are. */
export type TableFormat = Exclude<FileFormat, 'json' | 'ndjson'>;

/** How a file of a table is written, by format: it reads back to the same cells. */
export const FILE_WRITERS: Readonly<Record<TableFormat, TableWriter>> = {
  csv: createDelimitedWriter(','),
  tsv: createDelimitedWriter('\t'),
  xlsx: writeXlsx,
  parquet: writeParquet,
};

/** How a table is written for a client, who may open it in a spreadsheet, or read its columns. */
export const RESPONSE_WRITERS = {
  csv: writeSpreadsheetCsv,
  arrow: writeArrow,
  parquet: writeParquet,
  xlsx: writeXlsx,
} as const satisfies Record<string, TableWriter>;
