import { FileRefused, type Input, type Row, type Table } from '../format.ts';
import type { Book } from './cell.ts';
import { type CellSheet, chooseSheet } from './choose.ts';
import { type Merge, mergesByRow, mergesOf } from './merges.ts';
import { SHEET_BYTES, scanPart } from './parts.ts';
import { SheetReader } from './sheet.ts';
import { stringsOf } from './strings.ts';
import { stylesOf } from './styles.ts';
import { openZip, type Zip } from './unzip.ts';
import { workbookOf } from './workbook.ts';

/** Which sheet, by its name or its number; without it, the only one that has any cells. */
export interface XlsxOptions {
  readonly sheet?: string | undefined;
}

/**
 * Reads a sheet of an Excel workbook (.xlsx, .xlsm), row by row: the sheet is never in memory as a
 * whole, only the texts that its cells share are. Formulas give the value that was stored last.
 */
export async function readXlsx(input: Input, options: XlsxOptions): Promise<Table> {
  const zip = openZip(await input.file());
  const { sheets, stringsPart, stylesPart, ...rest } = await workbookOf(zip);
  const strings = stringsPart === undefined ? [] : await stringsOf(zip, stringsPart);
  const styles = stylesPart === undefined ? [] : await stylesOf(zip, stylesPart);
  const book = { strings, styles, ...rest };
  const sheet = await chooseSheet(sheets, options.sheet, (one) => hasCells(zip, one, book));
  const merges = await mergesOf(zip, sheet.part);
  return { kind: 'table', place: 'row', rows: rowsOf(zip, sheet, book, merges) };
}

const BATCH_ROWS = 256;
// In characters and cells: rows may be few and long.
const BATCH_WEIGHT = 1_048_576;

async function* rowsOf(
  zip: Zip,
  { part }: CellSheet,
  book: Book,
  merges: readonly Merge[],
): AsyncGenerator<readonly Row[]> {
  const reader = new SheetReader(book, mergesByRow(merges));
  for await (const _ of scanPart(zip, part, SHEET_BYTES, reader)) {
    if (reader.count >= BATCH_ROWS || reader.weight >= BATCH_WEIGHT) yield reader.take();
  }
  if (reader.count > 0) yield reader.take();
}

async function hasCells(zip: Zip, sheet: CellSheet, book: Book): Promise<boolean> {
  try {
    for await (const _ of rowsOf(zip, sheet, book, [])) return true;
    return false;
  } catch (error) {
    // What is wrong with it is told when it is the one to be read.
    if (error instanceof FileRefused) return true;
    throw error;
  }
}
