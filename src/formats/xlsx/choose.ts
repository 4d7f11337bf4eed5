import { FileRefused } from '../format.ts';
import type { Sheet } from './workbook.ts';

/** A sheet that has cells, or could have them. */
export type CellSheet = Sheet & { readonly part: string };

/**
 * The sheet of that name, in whatever letter case, or of that number, 1 for the first tab. Without
 * either, the only one in sight that has any cells; where that is not one, the file is refused.
 */
export async function chooseSheet(
  sheets: readonly Sheet[],
  wanted: string | undefined,
  hasCells: (sheet: CellSheet) => Promise<boolean>,
): Promise<CellSheet> {
  if (wanted !== undefined) return named(sheets, wanted);
  const filled: CellSheet[] = [];
  for (const sheet of sheets) {
    if (!sheet.hidden && canHaveCells(sheet) && (await hasCells(sheet))) filled.push(sheet);
  }
  const [first, ...others] = filled;
  if (!first) throw new FileRefused(`has no cells in any visible sheet; it has ${listed(sheets)}`);
  if (others.length > 0) {
    throw new FileRefused(`has several sheets: ${listed(filled)}; choose one with --sheet NAME`);
  }
  return first;
}

function named(sheets: readonly Sheet[], wanted: string): CellSheet {
  const name = wanted.toLowerCase();
  const number = /^[1-9]\d*$/.test(wanted) ? Number(wanted) : 0;
  const sheet = sheets.find((one) => one.name.toLowerCase() === name) ?? sheets[number - 1];
  if (!sheet) throw new FileRefused(`has no sheet ${wanted}; it has ${listed(sheets)}`);
  if (!canHaveCells(sheet)) throw new FileRefused(`has no cells in ${sheet.name}: it is a chart`);
  return sheet;
}

const canHaveCells = (sheet: Sheet): sheet is CellSheet => sheet.part !== undefined;

// A message is one line, and a file may have thousands of sheets.
const MOST_LISTED = 50;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, MOST_LISTED).map(({ name, hidden }) => {
    return hidden ? `${name} (hidden)` : name;
  });
  const more = sheets.length - names.length;
  const line = names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return line.replaceAll(/\p{Cc}/gu, ' ');
}
