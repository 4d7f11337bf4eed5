import {
  assertNoEncoding,
  type CellRow,
  type CellTable,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { MAX_SHEET_BYTES, scanPart } from '../xml/xml-parts.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { canHaveCells, chooseSheet, type DataSheet } from './choose-sheet.ts';
import { createMergedRangeLookup, type MergedRange, readMergedRanges } from './merged-ranges.ts';
import type { WorkbookContext } from './read-cell.ts';
import { readWorkbook } from './read-workbook.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetReader } from './sheet-reader.ts';
import { readStyles } from './styles.ts';

/** Streams a sheet; only shared strings are completely in memory. Formulas have stored values. */
export async function readXlsx(input: FileInput, sheetName?: string): Promise<CellTable> {
  const workbook = await openWorkbook(input);
  return workbook.readSheet(await workbook.chooseSheet(sheetName));
}

export type OpenWorkbook = Awaited<ReturnType<typeof openWorkbook>>;

/** Reads what all sheets of a workbook share. */
export async function openWorkbook(input: FileInput) {
  assertNoEncoding(input, 'xlsx');
  const zip = new ZipArchive(await input.getPath());
  const { sheets, stringsPart, stylesPart, ...settings } = await readWorkbook(zip);
  const strings = stringsPart === undefined ? [] : await readSharedStrings(zip, stringsPart);
  const styles = stylesPart === undefined ? [] : await readStyles(zip, stylesPart);
  const context = { strings, styles, ...settings };
  const dataSheets = sheets.filter(canHaveCells);
  return {
    /** The sheets that people see, in the order of the tabs; charts are none. */
    visibleSheets: dataSheets.filter(({ isHidden }) => !isHidden),
    hiddenSheets: dataSheets.filter(({ isHidden }) => isHidden),
    chooseSheet: (nameOrNumber: string | undefined) =>
      chooseSheet(sheets, nameOrNumber, (sheet) => hasCells(zip, sheet, context)),
    async readSheet({ part }: DataSheet): Promise<CellTable> {
      const ranges = await readMergedRanges(zip, part);
      const rows = streamXlsxRows(zip, part, context, ranges);
      return { kind: 'table', locationUnit: 'row', isSpreadsheet: true, rows };
    },
  };
}

const BATCH_ROWS = 256;
// In characters and cells, because rows may be long.
const BATCH_WEIGHT = 1_048_576;

async function* streamXlsxRows(
  zip: ZipArchive,
  part: string,
  context: WorkbookContext,
  ranges: readonly MergedRange[],
): AsyncGenerator<readonly CellRow[]> {
  const reader = new SheetReader(context, createMergedRangeLookup(ranges));
  for await (const _ of scanPart(zip, part, MAX_SHEET_BYTES, reader))
    if (reader.count >= BATCH_ROWS || reader.weight >= BATCH_WEIGHT) yield reader.takeRows();
  if (reader.count > 0) yield reader.takeRows();
}

async function hasCells(zip: ZipArchive, { part }: DataSheet, context: WorkbookContext) {
  try {
    for await (const _ of streamXlsxRows(zip, part, context, [])) return true;
    return false;
  } catch (error) {
    // Reported when the sheet is read.
    if (error instanceof InvalidFileError) return true;
    throw error;
  }
}
