import { countDecimals } from '../../shared/count-decimals.ts';
import type { FileCell, OutputColumn } from '../file-contents.ts';

const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
const PADDING = 2;
/** Room for numbers a thousand times larger, in rows outside the sample. */
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
    decimals = Math.max(decimals, countDecimals(cell, MAX_DECIMALS));
  }
  return Math.max(measureNumber(min, decimals), measureNumber(max, decimals));
}

/** Whether the cells of a column are numbers, which are right-aligned. */
export const isNumeric = ({ type }: OutputColumn) => type === 'number' || type === 'integer';

/** The most decimals that a number format shows; the cell keeps the exact number. */
export const MAX_DECIMALS = 6;

/** The length of a number with thousands separators and a number of decimals. */
function measureNumber(value: number, decimals: number): number {
  const digits = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  const separators = Math.floor((digits - 1) / 3);
  return (value < 0 ? 1 : 0) + digits + separators + (decimals > 0 ? decimals + 1 : 0);
}
