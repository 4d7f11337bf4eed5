import { type Field, isNumberField } from '../../catalogue/model/field.ts';
import { createDayParser } from './parse-day.ts';
import { createNumberParser } from './parse-number.ts';
import { createPeriodParser } from './parse-period.ts';
import { getMarkPlace, splitMarks } from './status-marks.ts';
import { type ConvertCell, InvalidCell, type ParseText, type ValueFormat } from './value-format.ts';

export { type ConvertCell, InvalidCell, type ValueFormat } from './value-format.ts';

/** Creates the conversion of one column. It allocates little, because files have millions of cells. */
export function createConverter(field: Field, valueFormat: ValueFormat): ConvertCell {
  const { isBlankText, isBlankNumber } = createBlankMatchers(valueFormat.blanks);
  const parseText = createTextParser(field, valueFormat);
  const convertNumber = createNumberConverter(field, parseText);
  const hasPlainFractions = arePlainFractions(field, valueFormat);
  const place = valueFormat.hasMarks ? getMarkPlace(field) : undefined;
  return (marked) => {
    const cell = place ? splitMarks(marked, place).plain : marked;
    if (typeof cell === 'string') {
      if (hasPlainFractions && valueFormat.decimalEvidence?.isSettled !== false) {
        const value = Number(cell);
        if (Number.isFinite(value) && !Number.isInteger(value)) return value;
      }
      const text = cell.trim();
      return isBlankText(text) ? undefined : parseText(text);
    }
    if (typeof cell === 'number' || typeof cell === 'bigint')
      return isBlankNumber(cell) ? undefined : convertNumber(cell);
    return cell ?? undefined;
  };
}

/** Empty text and the given texts, in any letter case, are blank; so are numbers with such a text. */
function createBlankMatchers(texts: readonly string[]) {
  const blanks = new Set(texts.map((text) => text.trim().toLowerCase()));
  const numbers = new Set([...blanks].filter((text) => String(Number(text)) === text).map(Number));
  // Most cells are longer than any blank text, and need no lookup in lower case.
  const maxLength = Math.max(0, ...[...blanks].map((text) => text.length));
  return {
    isBlankText: (text: string) =>
      text === '' || (text.length <= maxLength && blanks.has(text.toLowerCase())),
    isBlankNumber: (value: number | bigint) => numbers.size > 0 && numbers.has(Number(value)),
  };
}

/**
 * Whether text that JavaScript reads as a number with a fraction is always that number, even with surrounding
 * space. Most figures are such text, and trimming each would copy it out of the text of its file.
 */
function arePlainFractions(field: Field, { decimal, blanks }: ValueFormat): boolean {
  return isNumberField(field) && decimal === '.' && !blanks.some((text) => Number(text) % 1);
}

function createTextParser(field: Field, valueFormat: ValueFormat): ParseText {
  if (isNumberField(field)) return createNumberParser(field, valueFormat);
  if (field.kind === 'day' || field.periodKind?.hasDayLabels)
    return createDayParser(field, valueFormat.dateOrder);
  if (field.kind === 'choice') return createChoiceParser(field);
  if (field.kind === 'flag') return createFlagParser(field);
  if (field.periodKind) return createPeriodParser(field.periodKind, valueFormat);
  return (text) => text;
}

/** Only letter case is ignored; whether a T-Bill is a tbill must be decided by a person. */
function createChoiceParser(field: Field): ParseText {
  const choices = field.schema.enum as readonly string[];
  const byLowerCase = new Map(choices.map((choice) => [choice.toLowerCase(), choice]));
  const invalid = new InvalidCell(field.requirement);
  return (text) =>
    choices.includes(text) ? text : (byLowerCase.get(text.toLowerCase()) ?? invalid);
}

const FLAG_TEXTS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, yes: true, 1: true, false: false, no: false, 0: false }),
);

function createFlagParser(field: Field): ParseText {
  const invalid = new InvalidCell(`${field.requirement} (or yes or no, 1 or 0)`);
  return (text) => FLAG_TEXTS.get(text.toLowerCase()) ?? invalid;
}

function createNumberConverter(
  field: Field,
  parseText: ParseText,
): (cell: number | bigint) => unknown {
  if (field.kind === 'list' || field.kind === 'numbers' || field.kind === 'json')
    return (cell) => cell;
  // Spreadsheets hold codes and years as numbers.
  if (!isNumberField(field))
    return (cell) =>
      typeof cell === 'bigint' || Number.isFinite(cell) ? parseText(String(cell)) : cell;
  const invalid = new InvalidCell(field.requirement);
  return (cell) => {
    if (typeof cell === 'number') return cell;
    return Number.isSafeInteger(Number(cell)) ? Number(cell) : invalid;
  };
}
