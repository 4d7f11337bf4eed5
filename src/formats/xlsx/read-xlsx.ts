import { containsBytes } from '../contains-bytes.ts';
import {
  assertNoEncoding,
  type CellRow,
  type CellTable,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { readAttribute } from '../xml/xml-attributes.ts';
import { MAX_SHEET_BYTES, readPart, scanPart } from '../xml/xml-parts.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { formatColumnName, parseColumnNumber, parseRowNumber } from './cell-address.ts';
import { canHaveCells, chooseSheet, type DataSheet } from './choose-sheet.ts';
import type { WorkbookContext } from './read-cell.ts';
import { readWorkbook } from './read-workbook.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetReader } from './sheet-reader.ts';
import { readStyles } from './styles.ts';

/** Streams a sheet; only shared strings are held completely in memory. Formulas have stored values. */
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
    /** The sheets that people see, in tab order, without charts. */
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
// Measured in characters and cells, because rows may be long.
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
    // Errors are reported when the sheet is read.
    if (error instanceof InvalidFileError) return true;
    throw error;
  }
}

type MergedRange = ReturnType<typeof parseMergedRange>;

/** From top to bottom. They follow the cells in the file, so the sheet is scanned once beforehand. */
async function readMergedRanges(zip: ZipArchive, part: string): Promise<readonly MergedRange[]> {
  // Searching bytes is many times faster than parsing XML, and most sheets have no merged ranges.
  if (!(await containsBytes(zip.readBytes(part, MAX_SHEET_BYTES), Buffer.from('mergeCell'))))
    return [];
  const ranges: MergedRange[] = [];
  const open = (name: string, attributes: string, parent: string) => {
    if (name !== 'mergeCell' || parent !== 'mergeCells') return;
    const range = parseMergedRange(readAttribute(attributes, 'ref') ?? '');
    if (range.top < range.bottom || range.left < range.right) ranges.push(range);
    if (ranges.length > MAX_MERGED_RANGES) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
  };
  await readPart(zip, part, { open }, MAX_SHEET_BYTES);
  return ranges.sort((a, b) => a.top - b.top);
}

/** The merged ranges of a row, as `B3:C3`, if there are any. Row numbers must increase. */
function createMergedRangeLookup(
  ranges: readonly MergedRange[],
): (row: number) => string[] | undefined {
  let next = 0;
  let overlapping: MergedRange[] = [];
  return (row) => {
    overlapping = overlapping.filter(({ bottom }) => bottom >= row);
    for (let range = ranges[next]; range && range.top <= row; range = ranges[next]) {
      if (range.bottom >= row) overlapping.push(range);
      next += 1;
    }
    if (overlapping.length > MAX_RANGES_PER_ROW) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
    if (overlapping.length === 0) return undefined;
    return overlapping.map(
      ({ top, bottom, left, right }) =>
        `${formatColumnName(left)}${top}:${formatColumnName(right)}${bottom}`,
    );
  };
}

const MAX_MERGED_RANGES = 250_000;
// Ranges that do not overlap have at least two columns each, or share their rows with few others.
const MAX_RANGES_PER_ROW = 16_384;
const TOO_MANY_MERGED_CELLS = 'has far too many merged cells; unmerge them';

function parseMergedRange(range: string) {
  const [from = '', to = from] = range.split(':');
  const rows = [parseRowNumber(from), parseRowNumber(to)];
  const columns = [parseColumnNumber(from), parseColumnNumber(to)];
  if (![...rows, ...columns].every((number) => number >= 1))
    throw new InvalidFileError(`is damaged: ${range.slice(0, 40)} is no range of cells`);
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}
