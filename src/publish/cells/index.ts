import type { Field } from '../../catalogue/field.ts';
import { blanksOf } from './blank.ts';
import { type Convert, type Habits, type Read, Unfit } from './convert.ts';
import { dayReader } from './day.ts';
import { numberReader } from './number.ts';
import { periodReader } from './period.ts';

export { type Convert, type Habits, Unfit } from './convert.ts';

/**
 * The conversion of one column: every cell that a field is read from goes through it. It makes
 * nothing but its results, since files have millions of cells.
 */
export function converter(field: Field, habits: Habits): Convert {
  const blanks = blanksOf(habits.blanks);
  const read = readerOf(field, habits);
  const readNumber = numberReaderOf(field, read);
  return (cell) => {
    if (typeof cell === 'string') {
      const text = cell.trim();
      return blanks.hasText(text) ? undefined : read(text);
    }
    if (typeof cell === 'number' || typeof cell === 'bigint') {
      return blanks.hasNumber(cell) ? undefined : readNumber(cell);
    }
    return cell ?? undefined;
  };
}

const numberKinds = new Set(['price', 'percent', 'years', 'amount', 'count', 'share']);

function readerOf(field: Field, habits: Habits): Read {
  if (numberKinds.has(field.kind)) return numberReader(field, habits);
  if (field.kind === 'day') return dayReader(field, habits.dates);
  if (field.kind === 'choice') return choiceReader(field);
  if (field.period) return periodReader(field.period, habits.periods);
  return (text) => text;
}

function numberReaderOf(field: Field, read: Read): (cell: number | bigint) => unknown {
  if (numberKinds.has(field.kind)) return inRange(field);
  if (field.kind === 'list' || field.kind === 'numbers') return (cell) => cell;
  return spelt(read);
}

/** Only letter case is forgiven: guessing that a T-Bill is a tbill is for a person. */
function choiceReader(field: Field): Read {
  const words = field.schema.enum as readonly string[];
  const spellings = new Map(words.map((word) => [word.toLowerCase(), word]));
  const unfit = new Unfit(field.rule);
  return (text) => (words.includes(text) ? text : (spellings.get(text.toLowerCase()) ?? unfit));
}

/** Numbers for a field of numbers; a bigint only where a number holds all of it. */
function inRange(field: Field): (cell: number | bigint) => unknown {
  const unfit = new Unfit(field.rule);
  return (cell) => {
    if (typeof cell === 'number') return cell;
    const value = Number(cell);
    return Number.isSafeInteger(value) ? value : unfit;
  };
}

/** Numbers for any other field: spreadsheets hold codes and years as numbers. */
function spelt(read: Read): (cell: number | bigint) => unknown {
  return (cell) => (typeof cell === 'bigint' || Number.isFinite(cell) ? read(String(cell)) : cell);
}
