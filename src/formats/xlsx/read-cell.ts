import type { FileCell } from '../file-contents.ts';
import { unescapeFromOffice } from './office-escapes.ts';
import {
  type Epoch,
  formatSerial,
  type NumberFormatKind,
  normalizeIsoDate,
  PHANTOM_LEAP_DAY,
} from './serial-date.ts';
import type { SharedStrings } from './shared-strings.ts';

export interface WorkbookContext {
  readonly strings: SharedStrings;
  readonly styles: readonly NumberFormatKind[];
  readonly epoch: Epoch;
  /** Whether formulas have yet to be calculated on load, so that their stored values are invalid. */
  readonly isUncalculated: boolean;
}

export interface RawCell {
  type: string;
  style: number;
  text: string;
  isFormula: boolean;
  /** Whether there is a value element, which may be empty. */
  hasValueElement: boolean;
}

/** Why a cell cannot be read, as a predicate that follows its address. */
export class CellError extends Error {}

export function readCell(cell: RawCell, book: WorkbookContext): FileCell {
  if (cell.isFormula) assertCalculated(cell, book);
  const { type, text } = cell;
  if (text === '') return null;
  if (type === 'n') return readNumberCell(text, book.styles[cell.style] ?? 'number', book.epoch);
  if (type === 's') {
    const string = book.strings.at(Number(text));
    if (string === undefined)
      throw new CellError(`has a text ${quoteShort(text)} that the file lacks`);
    return string || null;
  }
  if (type === 'str' || type === 'inlineStr') return unescapeFromOffice(text);
  if (type === 'b') return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'e') return text;
  if (type === 'd')
    return normalizeIsoDate(text.trim()) ?? throwCellError(`has ${quoteShort(text)} for a date`);
  throw new CellError(`is of the unknown type ${quoteShort(type)}`);
}

const SAVE_FILE_HINT = 'open the file in a spreadsheet program and save it';

function assertCalculated({ type, text, hasValueElement }: RawCell, book: WorkbookContext): void {
  // A formula's result may be empty text; with any other type, empty means not calculated.
  const hasValue = type === 'str' ? hasValueElement : text !== '';
  if (!hasValue) throw new CellError(`is a formula without a stored value; ${SAVE_FILE_HINT}`);
  if (book.isUncalculated) {
    // Libraries that cannot calculate store 0 and request a calculation on load.
    throw new CellError(`is a formula that the file says is not calculated yet; ${SAVE_FILE_HINT}`);
  }
}

function readNumberCell(text: string, kind: NumberFormatKind, epoch: Epoch): FileCell {
  const number = Number(text);
  if (!Number.isFinite(number) || text.trim() === '')
    return throwCellError(`has ${quoteShort(text)} for a number`);
  if (kind === 'number') return number;
  if (kind === 'percent') return formatPercentCell(number);
  const date = formatSerial(number, kind, epoch);
  if (date !== undefined) return date;
  return epoch === 1900 && Math.floor(number) === PHANTOM_LEAP_DAY
    ? throwCellError('is dated 29 February 1900, a day that never was')
    : throwCellError(`is shown as a date, but ${number} stands for none`);
}

function throwCellError(message: string): never {
  throw new CellError(message);
}

const quoteShort = (text: string) => JSON.stringify(text.slice(0, 40));

/** `13.5%` for 0.135. Moves the point in the text, because 0.287 times 100 is not 28.7. */
export function formatPercentCell(number: number): string {
  if (number === 0) return '0%';
  const [mantissa = '', exponent] = Math.abs(number).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  // One digit before the point of the mantissa, and two for the percentage.
  const length = Number(exponent) + 3;
  const [integer, fraction] =
    length > 0
      ? [digits.slice(0, length).padEnd(length, '0'), digits.slice(length)]
      : ['0', '0'.repeat(-length) + digits];
  return `${number < 0 ? '-' : ''}${integer}${fraction && `.${fraction}`}%`;
}
