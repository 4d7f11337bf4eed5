import type { CellRow } from '../formats/read-contents.ts';
import { classifyCell } from './cell-kinds.ts';
import { toText } from './find-header.ts';

/**
 * The index of the first row of another table below the header: names above which most cells are
 * figures, after a blank row or a title. The length where there is none.
 */
export function findNextTable(rows: readonly CellRow[]): number {
  for (let index = 2; index < rows.length - 1; index++) {
    const row = rows[index] as CellRow;
    const before = rows[index - 1] as CellRow;
    const isAfterTitle = countFilled(before) === 1;
    if (!isAfterTitle && row.position - before.position < 2) continue;
    if (isHeaderBelowFigures(row, rows.slice(0, index))) return isAfterTitle ? index - 1 : index;
  }
  return rows.length;
}

const countFilled = ({ cells }: CellRow) => cells.filter((cell) => toText(cell) !== '').length;

function isHeaderBelowFigures({ cells }: CellRow, above: readonly CellRow[]): boolean {
  const filled = cells.flatMap((cell, column) => (toText(cell) === '' ? [] : [column]));
  if (filled.length < 2 || filled.some((column) => classifyCell(cells[column]).kind !== 'text'))
    return false;
  const data = above.filter((row) => countFilled(row) > 1);
  const isBelowFigures = (column: number) => {
    const kinds = data.map((row) => classifyCell(row.cells[column]).kind);
    return kinds.filter((kind) => kind === 'number' || kind === 'percent').length > data.length / 2;
  };
  return filled.filter(isBelowFigures).length >= filled.length / 2;
}
