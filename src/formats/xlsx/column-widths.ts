import type { FileCell, OutputColumn } from '../file-contents.ts';
import { countDecimals, measureNumber } from './decimals.ts';
import { isNumeric } from './workbook-template.ts';

const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
const PADDING = 2;
/** Room for a number of a thousand times the size, in rows that are not in the sample. */
const THOUSANDS_WIDTH = 4;

type Rows = readonly (readonly FileCell[])[];

/** Widths in characters, by the names of the columns and a sample of their cells. */
export function computeColumnWidths(
  columns: readonly OutputColumn[],
  sample: Rows,
  isComplete: boolean,
): number[] {
  return columns.map((column, index) => {
    const content = isNumeric(column)
      ? measureNumbers(sample, index) + (isComplete ? 0 : THOUSANDS_WIDTH)
      : measureTexts(sample, index);
    const width = Math.max(MIN_WIDTH, column.name.length, content);
    return Math.min(MAX_WIDTH, width) + PADDING;
  });
}

function measureTexts(sample: Rows, index: number): number {
  return sample.reduce((max, cells) => Math.max(max, String(cells[index] ?? '').length), 0);
}

function measureNumbers(sample: Rows, index: number): number {
  let [min, max, decimals] = [0, 0, 0];
  for (const { [index]: cell } of sample) {
    if (typeof cell !== 'number' || !Number.isFinite(cell)) continue;
    min = Math.min(min, cell);
    max = Math.max(max, cell);
    decimals = Math.max(decimals, countDecimals(cell, String(cell)));
  }
  return Math.max(measureNumber(min, decimals), measureNumber(max, decimals));
}
