import type { FormatWith } from '../shared/formats.ts';
import { writeArrow } from './arrow/write-arrow.ts';
import { createDelimitedWriter, writeSpreadsheetCsv } from './delimited/write-delimited.ts';
import type { FormatWriter } from './file-contents.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import { writeXlsx } from './xlsx/write-xlsx.ts';

type FileTable = FormatWith<{ isFile: true }, { isTable: true }>;
type ResponseTable = FormatWith<{ responseRank: number }, { isTable: true }>;

/** Writers of files, from which the same cells can be read back. */
export const FILE_WRITERS: Readonly<Record<FileTable, FormatWriter>> = {
  csv: createDelimitedWriter(','),
  tsv: createDelimitedWriter('\t'),
  xlsx: writeXlsx,
  parquet: writeParquet,
};

/** Writers of responses, which clients may open in a spreadsheet. */
export const RESPONSE_WRITERS: Readonly<Record<ResponseTable, FormatWriter>> = {
  csv: writeSpreadsheetCsv,
  arrow: writeArrow,
  parquet: writeParquet,
  xlsx: writeXlsx,
};
