import { writeArrow } from './arrow/write-arrow.ts';
import { createDelimitedWriter, writeSpreadsheetCsv } from './delimited/write-delimited.ts';
import type { FileFormat, TableWriter } from './file-contents.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import { writeXlsx } from './xlsx/write-xlsx.ts';

/** The file formats of tables. */
export type TableFormat = Exclude<FileFormat, 'json' | 'ndjson'>;

/** Writers of files, which are read back as the same cells. */
export const FILE_WRITERS: Readonly<Record<TableFormat, TableWriter>> = {
  csv: createDelimitedWriter(','),
  tsv: createDelimitedWriter('\t'),
  xlsx: writeXlsx,
  parquet: writeParquet,
};

/** Writers of responses, which a client may open in a spreadsheet. */
export const RESPONSE_WRITERS = {
  csv: writeSpreadsheetCsv,
  arrow: writeArrow,
  parquet: writeParquet,
  xlsx: writeXlsx,
} as const satisfies Record<string, TableWriter>;
