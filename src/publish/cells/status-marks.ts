import { type Field, isNumberField } from '../../catalogue/model/field.ts';
import {
  OBSERVATION_STATUSES,
  type ObservationStatus,
} from '../../catalogue/model/observation-status.ts';
import { MONTH_ABBREVIATIONS } from '../../shared/calendar.ts';

/** Marks besides the codes. Revised figures are normal, because the code list has no status for them. */
const MARKS = new Map([
  ['A', ['r', 'rev', 'revised', 'actual', 'final']],
  ['B', ['break']],
  ['E', ['est', 'estimate', 'estimated']],
  ['F', ['forecast', 'proj', 'projected', 'projection']],
  ['P', ['prelim', 'preliminary', 'prov', 'provisional']],
]);

const STATUSES = new Map<string, string>();
for (const code of Object.keys(OBSERVATION_STATUSES))
  for (const mark of [code.toLowerCase(), ...(MARKS.get(code) ?? [])]) STATUSES.set(mark, code);

/** The status that a mark stands for, in any letter case; undefined if unknown. */
export function toStatus(mark: string): ObservationStatus | undefined {
  const letters = mark.toLowerCase().replace(/[^a-z]/g, '');
  return STATUSES.get(letters) as ObservationStatus | undefined;
}

type MarkPlace = 'period' | 'figure';

/** Whether marks of a field accompany periods or figures; undefined if it has no marks. */
export const getMarkPlace = (field: Field): MarkPlace | undefined =>
  field.periodKind ? 'period' : isNumberField(field) ? 'figure' : undefined;

const WORDS = [...STATUSES.keys()].filter((mark) => mark.length > 1).join('|');

const SIGN = '[*†‡#^¹²³⁰⁴-⁹]';

/** Footnote signs, or a mark with or without parentheses, at the end. A row of blanks or signs is tried once, from its start. */
const createPattern = (inside: string, bare: string) =>
  new RegExp(
    `(?<!\\s)(?:\\s*(?:(?<!${SIGN})${SIGN}+|[([]\\s?(?:${inside})\\.?\\s?[)\\]])|${bare})$`,
    'i',
  );

/**
 * A mark may be any letter in parentheses; beside a period, any word. But 12 (m) and 12 b may be millions and
 * billions, and 1.5E half of a number.
 */
const PATTERNS: Readonly<Record<MarkPlace, RegExp>> = {
  figure: createPattern(`${WORDS}|[a-jln-su-z]`, `(?<=[\\d%)])\\s+(?:(?:${WORDS})\\.?|[efpr])`),
  period: createPattern(
    `(?!${MONTH_ABBREVIATIONS.join('|')})[a-z]{1,20}`,
    `\\s+(?:${WORDS})\\.?|(?<=\\d)\\s?[aefpr]`,
  ),
};

/** "July-September 2022 (Provisional)" and some spaces. */
export const MAX_MARKED_LENGTH = 60;

/** A cell without its marks, and the marks as in the file. */
export class MarkedCell {
  constructor(
    readonly plain: unknown,
    readonly marks: readonly string[],
  ) {}
}

export function splitMarks(cell: unknown, place: MarkPlace | undefined): MarkedCell {
  if (cell instanceof MarkedCell) return cell;
  if (!place || typeof cell !== 'string' || cell.length > MAX_MARKED_LENGTH)
    return new MarkedCell(cell, []);
  const marks: string[] = [];
  let plain = cell.trimEnd();
  for (let match = PATTERNS[place].exec(plain); match; match = PATTERNS[place].exec(plain)) {
    marks.unshift(match[0].trim());
    plain = plain.slice(0, match.index);
  }
  // A text without digits is a note, or stands for no value.
  return /\d/.test(plain) ? new MarkedCell(plain, marks) : new MarkedCell(cell, []);
}
