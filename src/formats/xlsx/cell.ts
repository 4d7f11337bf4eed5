import type { Cell } from '../format.ts';
import { withoutEscapes } from './escapes.ts';
import { percentText } from './percent.ts';
import { type Epoch, isoText, LEAP_DAY, type Shows, serialText } from './serial.ts';
import type { SharedStrings } from './strings.ts';

/** What the cells of a sheet refer to. */
export interface Book {
  readonly strings: SharedStrings;
  readonly styles: readonly Shows[];
  readonly epoch: Epoch;
  readonly uncalculated: boolean;
}

/** A cell as the file has it. */
export interface StoredCell {
  readonly type: string;
  readonly style: number;
  readonly text: string;
  readonly formula: boolean;
  /** Whether there is a place for a value, be it empty. */
  readonly stored: boolean;
}

/** Why a cell cannot be read, in words that follow its address. */
export class CellFault extends Error {}

/** The value of a cell; null without one. */
export function readCell(cell: StoredCell, book: Book): Cell {
  if (cell.formula) refuseUncalculated(cell, book);
  const { type, text } = cell;
  if (text === '') return null;
  if (type === 'n') return numberOf(text, book.styles[cell.style] ?? 'number', book.epoch);
  if (type === 's') return sharedString(text, book.strings) || null;
  if (type === 'str' || type === 'inlineStr') return withoutEscapes(text);
  if (type === 'b') return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'e') return text;
  if (type === 'd') return isoText(text.trim()) ?? fault(`has ${shown(text)} for a date`);
  throw new CellFault(`is of the unknown type ${shown(type)}`);
}

const SAVE_IT = 'open the file in a spreadsheet program and save it';

function refuseUncalculated({ type, text, stored }: StoredCell, book: Book): void {
  // A formula may well result in an empty text; with any other type, empty means not calculated.
  const hasValue = type === 'str' ? stored : text !== '';
  if (!hasValue) throw new CellFault(`is a formula without a stored value; ${SAVE_IT}`);
  if (book.uncalculated) {
    // Libraries that cannot calculate store 0, and ask for a calculation when the file is opened.
    throw new CellFault(`is a formula that the file says is not calculated yet; ${SAVE_IT}`);
  }
}

function numberOf(text: string, shows: Shows, epoch: Epoch): Cell {
  const number = Number(text);
  if (!Number.isFinite(number) || text.trim() === '')
    return fault(`has ${shown(text)} for a number`);
  if (shows === 'number') return number;
  if (shows === 'percent') return percentText(number);
  return serialText(number, shows, epoch) ?? fault(noDay(number, epoch));
}

function noDay(serial: number, epoch: Epoch): string {
  return epoch === 1900 && Math.floor(serial) === LEAP_DAY
    ? 'is dated 29 February 1900, a day that never was'
    : `is shown as a date, but ${serial} stands for none`;
}

function sharedString(index: string, strings: SharedStrings): string {
  return strings.at(Number(index)) ?? fault(`has a text ${shown(index)} that the file lacks`);
}

function fault(what: string): never {
  throw new CellFault(what);
}

const shown = (text: string) => JSON.stringify(text.slice(0, 40));
