import { isValidIsin } from '../bonds/index.ts';
import { PUBLISHED_KINDS } from '../catalogue/model/period.ts';
import { PERIOD_UNITS, type PeriodUnit } from '../catalogue/model/period-unit.ts';
import type { FileCell } from '../formats/read-contents.ts';
import { InvalidCell } from '../publish/cells/create-converter.ts';
import { parseDayText, parseMonthName, stripMidnight } from '../publish/cells/parse-day.ts';
import { parseNumberText } from '../publish/cells/parse-number.ts';
import { createPeriodParser } from '../publish/cells/parse-period.ts';
import { splitMarks } from '../publish/cells/status-marks.ts';
import { isBlankMark } from '../publish/cells/value-format.ts';

/** The kind of a cell; whether a number is a year depends on its column. */
export type CellKind = 'blank' | PeriodUnit | 'number' | 'percent' | 'isin' | 'text';

export interface CellTraits {
  readonly kind: CellKind;
  /** Of numbers in text: the decimal signs with which they can be read, if those differ. */
  readonly decimal?: '.' | ',' | 'either';
  /** Of numbers: whether they have a currency or a unit. */
  readonly hasUnit?: true;
  /** Of days other than YYYY-MM-DD: the order with which they can be read. */
  readonly order?: 'dmy' | 'mdy' | 'either' | 'named';
  /** Of a day: whether a time of day follows it. */
  readonly hasTime?: true;
  /** Of periods: whether labels need conversion (`--periods sbp`). */
  readonly needsConversion?: true;
}

export function classifyCell(cell: FileCell | undefined): CellTraits {
  if (cell === null || cell === undefined) return { kind: 'blank' };
  if (typeof cell === 'number') return { kind: isYear(String(cell)) ? 'year' : 'number' };
  const text = cell.trim();
  if (text === '' || isBlankMark(text)) return { kind: 'blank' };
  if (text.length > MAX_LENGTH) return { kind: 'text' };
  if (isYear(text)) return { kind: 'year' };
  return (
    classifyDay(text) ??
    classifyNumber(text) ??
    classifyPeriod(text) ??
    classifyAmount(text) ??
    classifyText(text)
  );
}

export const isTimeKind = (kind: string | undefined): kind is PeriodUnit =>
  PERIOD_UNITS.some((unit) => unit === kind);

/** A period or a day, or a month or quarter without its year. */
export const isTimePart = (text: string) =>
  /^Q[1-4]$/i.test(text) ||
  parseMonthName(text) !== undefined ||
  isTimeKind(classifyCell(text).kind);

const isYear = (text: string) => /^(?:19|20)\d\d$/.test(text);

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;

function classifyDay(text: string): CellTraits | undefined {
  const plain = stripMidnight(text);
  const [, date] = DATE_TIME.exec(plain) ?? [];
  if (date !== undefined)
    return parseDayText(date) === undefined ? undefined : { kind: 'day', hasTime: true };
  // Eight digits are more likely a number than a day.
  if (/^\d+$/.test(plain)) {
    const isDay = /^(?:19|20)\d{6}$/.test(plain) && parseDayText(plain) !== undefined;
    return isDay ? { kind: 'day', order: 'named' } : undefined;
  }
  const day = parseDayText(plain);
  if (day !== undefined) return day === plain ? { kind: 'day' } : { kind: 'day', order: 'named' };
  const [isDmy, isMdy] = [parseDayText(plain, 'dmy'), parseDayText(plain, 'mdy')];
  if (!isDmy && !isMdy) return undefined;
  return {
    kind: 'day',
    order: isDmy && isMdy ? (isDmy === isMdy ? 'named' : 'either') : isDmy ? 'dmy' : 'mdy',
  };
}

function classifyNumber(text: string): CellTraits | undefined {
  if (!/\d/.test(text)) return undefined;
  const kind = text.includes('%') ? 'percent' : 'number';
  const [withPoint, withComma] = (['.', ','] as const).map((sign) =>
    parseNumberText(text, sign, 'percent'),
  );
  if (withPoint === withComma) return withPoint === undefined ? undefined : { kind };
  if (withPoint !== undefined && withComma !== undefined) return { kind, decimal: 'either' };
  return { kind, decimal: withComma === undefined ? '.' : ',' };
}

const CURRENCY_BEFORE = /^(?:[A-Z]{0,3}[$€£¥₨₹]|Rs\.?|PKR|INR|USD|EUR|GBP|BRL)/i;
const CURRENCY_AFTER = /(?:[$€£¥₨₹]|PKR|INR|USD|EUR|GBP|BRL)$/i;

/** Figures, periods and days are shorter; longer texts are not looked at more closely. */
const MAX_LENGTH = 200;

/** A number with a currency or marks; a sign before a percentage is a footnote. */
function classifyAmount(text: string): CellTraits | undefined {
  const figure = String(splitMarks(text, 'figure').plain);
  const plain = figure.replace(CURRENCY_BEFORE, '').replace(CURRENCY_AFTER, '').trim();
  const traits = plain === text ? undefined : classifyNumber(plain);
  if (traits?.kind === 'percent' || plain === figure) return traits;
  return traits && { ...traits, hasUnit: true };
}

const periodParsers = Object.values(PUBLISHED_KINDS)
  .filter(({ hasDayLabels }) => !hasDayLabels)
  .map((kind) => [kind, createPeriodParser(kind, { periodStyle: 'sbp' })] as const);

function classifyPeriod(text: string): CellTraits | undefined {
  for (const [kind, parse] of periodParsers) {
    if (kind.toOrdinal(String(splitMarks(text, 'period').plain)) !== undefined)
      return { kind: kind.unit };
    if (!(parse(text) instanceof InvalidCell)) return { kind: kind.unit, needsConversion: true };
  }
  return undefined;
}

const classifyText = (text: string): CellTraits => ({ kind: isValidIsin(text) ? 'isin' : 'text' });
