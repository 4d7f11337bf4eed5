import type { CellRow } from '../formats/read-contents.ts';
import { toText } from './find-header.ts';

const TOTAL =
  /^(?:sub|grand|net)?[ -]*(?:totals?|sum)\b|\b(?:sub|grand)[ -]?total\b|^(?:gesamt|summe|somme)\b/i;

/** Whether one of the first texts of a row calls it a total. */
export function isTotal({ cells }: CellRow): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '').slice(0, 2);
  return texts.some((text) => TOTAL.test(String(text).trim()));
}

/** Whether a row of a table has only a name or a note, and no figures. */
export function isSparse({ cells }: CellRow, width: number): boolean {
  const filled = cells.filter((cell) => toText(cell) !== '');
  return filled.length <= Math.max(1, Math.floor(width / 4)) && !filled.some(isFigure);
}

const isFigure = (cell: unknown) =>
  typeof cell === 'number' || /^[-+(]?[\d.,\s]+%?\)?$/.test(String(cell));

/** Narrower tables have blank cells where wider ones have headings. */
export const MIN_WIDTH_WITH_HEADINGS = 3;
