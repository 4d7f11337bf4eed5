import { InvalidFileError } from '../file-contents.ts';
import type { SheetInfo } from './read-workbook.ts';

/** A sheet that has cells, or could have them. */
export type DataSheet = SheetInfo & { readonly part: string };

/**
 * The sheet of that name, in whatever letter case, or of that number, 1 for the first tab. Without
 * either, the only one in sight that has any cells; where that is not one, the file is refused.
 */
export async function chooseSheet(
  sheets: readonly SheetInfo[],
  wanted: string | undefined,
  hasCells: (sheet: DataSheet) => Promise<boolean>,
): Promise<DataSheet> {
  if (wanted !== undefined) return findSheet(sheets, wanted);
  const filled: DataSheet[] = [];
  for (const sheet of sheets) {
    if (!sheet.isHidden && canHaveCells(sheet) && (await hasCells(sheet))) filled.push(sheet);
  }
  const [first, ...others] = filled;
  if (!first)
    throw new InvalidFileError(
      `has no cells in any visible sheet; it has ${formatSheetList(sheets)}`,
    );
  if (others.length > 0) {
    throw new InvalidFileError(
      `has several sheets: ${formatSheetList(filled)}; choose one with --sheet NAME`,
    );
  }
  return first;
}

function findSheet(sheets: readonly SheetInfo[], wanted: string): DataSheet {
  const name = wanted.toLowerCase();
  const number = /^[1-9]\d*$/.test(wanted) ? Number(wanted) : 0;
  const sheet = sheets.find((one) => one.name.toLowerCase() === name) ?? sheets[number - 1];
  if (!sheet)
    throw new InvalidFileError(`has no sheet ${wanted}; it has ${formatSheetList(sheets)}`);
  if (!canHaveCells(sheet))
    throw new InvalidFileError(`has no cells in ${sheet.name}: it is a chart`);
  return sheet;
}

const canHaveCells = (sheet: SheetInfo): sheet is DataSheet => sheet.part !== undefined;

// A message is one line, and a file may have thousands of sheets.
const MAX_LISTED_SHEETS = 50;

function formatSheetList(sheets: readonly SheetInfo[]): string {
  const names = sheets.slice(0, MAX_LISTED_SHEETS).map(({ name, isHidden }) => {
    return isHidden ? `${name} (hidden)` : name;
  });
  const more = sheets.length - names.length;
  const line = names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return line.replaceAll(/\p{Cc}/gu, ' ');
}
