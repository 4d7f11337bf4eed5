import type { Field } from '../../catalogue/model/field.ts';
import { createBlankMatcher } from './blank-matcher.ts';
import { createDayParser } from './parse-day.ts';
import { createNumberParser } from './parse-number.ts';
import { createPeriodParser } from './parse-period.ts';
import { type ConvertCell, InvalidCell, type ParseText, type ValueFormat } from './value-format.ts';

export { type ConvertCell, InvalidCell, type ValueFormat } from './value-format.ts';

/**
 * The conversion of one column: every cell that a field is read from goes through it. It makes
 * nothing but its results, since files have millions of cells.
 */
export function createConverter(field: Field, valueFormat: ValueFormat): ConvertCell {
  const blanks = createBlankMatcher(valueFormat.blanks);
  const read = createTextParser(field, valueFormat);
  const readNumber = createNumberConverter(field, read);
  return (cell) => {
    if (typeof cell === 'string') {
      const text = cell.trim();
      return blanks.isBlankText(text) ? undefined : read(text);
    }
    if (typeof cell === 'number' || typeof cell === 'bigint') {
      return blanks.isBlankNumber(cell) ? undefined : readNumber(cell);
    }
    return cell ?? undefined;
  };
}

const NUMBER_KINDS = new Set(['price', 'percent', 'years', 'amount', 'count', 'share']);

function createTextParser(field: Field, valueFormat: ValueFormat): ParseText {
  if (NUMBER_KINDS.has(field.kind)) return createNumberParser(field, valueFormat);
  if (field.kind === 'day') return createDayParser(field, valueFormat.dateOrder);
  if (field.kind === 'choice') return createChoiceParser(field);
  if (field.periodKind) return createPeriodParser(field.periodKind, valueFormat.periodStyle);
  return (text) => text;
}

function createNumberConverter(field: Field, read: ParseText): (cell: number | bigint) => unknown {
  if (NUMBER_KINDS.has(field.kind)) return toSafeNumber(field);
  if (field.kind === 'list' || field.kind === 'numbers') return (cell) => cell;
  return parseAsText(read);
}

/** Only letter case is forgiven: guessing that a T-Bill is a tbill is for a person. */
function createChoiceParser(field: Field): ParseText {
  const words = field.schema.enum as readonly string[];
  const spellings = new Map(words.map((word) => [word.toLowerCase(), word]));
  const unfit = new InvalidCell(field.requirement);
  return (text) => (words.includes(text) ? text : (spellings.get(text.toLowerCase()) ?? unfit));
}

/** Numbers for a field of numbers; a bigint only where a number holds all of it. */
function toSafeNumber(field: Field): (cell: number | bigint) => unknown {
  const unfit = new InvalidCell(field.requirement);
  return (cell) => {
    if (typeof cell === 'number') return cell;
    const value = Number(cell);
    return Number.isSafeInteger(value) ? value : unfit;
  };
}

/** Numbers for any other field: spreadsheets hold codes and years as numbers. */
function parseAsText(read: ParseText): (cell: number | bigint) => unknown {
  return (cell) => (typeof cell === 'bigint' || Number.isFinite(cell) ? read(String(cell)) : cell);
}
