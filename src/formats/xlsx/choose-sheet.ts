import { formatNames } from '../../shared/format-names.ts';
import { InvalidFileError } from '../file-contents.ts';
import type { SheetInfo } from './read-workbook.ts';
import { ABOUT_SHEET } from './workbook-template.ts';

export type DataSheet = SheetInfo & { readonly part: string };

/**
 * Chooses by name, ignoring case, or by number from 1; by default the only visible sheet with cells, except a
 * sheet about the others.
 */
export async function chooseSheet(
  sheets: readonly SheetInfo[],
  nameOrNumber: string | undefined,
  hasCells: (sheet: DataSheet) => Promise<boolean>,
): Promise<DataSheet> {
  if (nameOrNumber !== undefined) return findSheet(sheets, nameOrNumber);
  const filled: DataSheet[] = [];
  for (const sheet of sheets)
    if (!sheet.isHidden && canHaveCells(sheet) && (await hasCells(sheet))) filled.push(sheet);
  const tables = filled.filter(({ name }) => name.toLowerCase() !== ABOUT_SHEET.toLowerCase());
  const [first = filled[0]] = tables;
  if (!first)
    throw new InvalidFileError(
      `has no cells in any visible sheet; it has ${formatSheetList(sheets)}`,
    );
  if (tables.length > 1)
    throw new InvalidFileError(
      `has several sheets: ${formatSheetList(filled)}; choose one with --sheet NAME`,
    );
  return first;
}

function findSheet(sheets: readonly SheetInfo[], nameOrNumber: string): DataSheet {
  const lowerCase = nameOrNumber.toLowerCase();
  const number = /^[1-9]\d*$/.test(nameOrNumber) ? Number(nameOrNumber) : 0;
  const sheet = sheets.find(({ name }) => name.toLowerCase() === lowerCase) ?? sheets[number - 1];
  if (!sheet)
    throw new InvalidFileError(`has no sheet ${nameOrNumber}; it has ${formatSheetList(sheets)}`);
  if (!canHaveCells(sheet))
    throw new InvalidFileError(`has no cells in ${sheet.name}: it is a chart`);
  return sheet;
}

export const canHaveCells = (sheet: SheetInfo): sheet is DataSheet => sheet.part !== undefined;

const MAX_LISTED_SHEETS = 50;

function formatSheetList(sheets: readonly SheetInfo[]): string {
  const names = sheets.map(({ name, isHidden }) => (isHidden ? `${name} (hidden)` : name));
  return formatNames(names, MAX_LISTED_SHEETS);
}
