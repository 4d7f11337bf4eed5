import {
  type CellRow,
  type CellTable,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { MAX_SHEET_BYTES, scanPart } from '../xml/xml-parts.ts';
import { openZip, type ZipArchive } from '../zip/unzip.ts';
import { chooseSheet, type DataSheet } from './choose-sheet.ts';
import { createMergedRangeLookup, type MergedRange, readMergedRanges } from './merged-ranges.ts';
import type { WorkbookContext } from './read-cell.ts';
import { readWorkbook } from './read-workbook.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetReader } from './sheet-reader.ts';
import { readStyles } from './styles.ts';

/** Which sheet, by its name or its number; without it, the only one that has any cells. */
export interface XlsxOptions {
  readonly sheet?: string | undefined;
}

/**
 * Reads a sheet of an Excel workbook (.xlsx, .xlsm), row by row: the sheet is never in memory as a
 * whole, only the texts that its cells share are. Formulas give the value that was stored last.
 */
export async function readXlsx(input: FileInput, options: XlsxOptions): Promise<CellTable> {
  const zip = openZip(await input.getPath());
  const { sheets, stringsPart, stylesPart, ...rest } = await readWorkbook(zip);
  const strings = stringsPart === undefined ? [] : await readSharedStrings(zip, stringsPart);
  const styles = stylesPart === undefined ? [] : await readStyles(zip, stylesPart);
  const book = { strings, styles, ...rest };
  const sheet = await chooseSheet(sheets, options.sheet, (one) => hasCells(zip, one, book));
  const merges = await readMergedRanges(zip, sheet.part);
  return { kind: 'table', locationUnit: 'row', rows: streamXlsxRows(zip, sheet, book, merges) };
}

const BATCH_ROWS = 256;
// In characters and cells: rows may be few and long.
const BATCH_WEIGHT = 1_048_576;

async function* streamXlsxRows(
  zip: ZipArchive,
  { part }: DataSheet,
  book: WorkbookContext,
  merges: readonly MergedRange[],
): AsyncGenerator<readonly CellRow[]> {
  const reader = new SheetReader(book, createMergedRangeLookup(merges));
  for await (const _ of scanPart(zip, part, MAX_SHEET_BYTES, reader)) {
    if (reader.count >= BATCH_ROWS || reader.weight >= BATCH_WEIGHT) yield reader.take();
  }
  if (reader.count > 0) yield reader.take();
}

async function hasCells(
  zip: ZipArchive,
  sheet: DataSheet,
  book: WorkbookContext,
): Promise<boolean> {
  try {
    for await (const _ of streamXlsxRows(zip, sheet, book, [])) return true;
    return false;
  } catch (error) {
    // What is wrong with it is told when it is the one to be read.
    if (error instanceof InvalidFileError) return true;
    throw error;
  }
}
