import { addMonths, formatDay, isDay, parseDay } from '../../calendar.ts';
import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { InvalidCell } from '../cells/create-converter.ts';

/**
 * The last day of a fund's period: the date, if there is one, else the last day of the month.
 * `month` is the label as a month, if it can be read as one.
 */
export function resolvePeriodEnd(
  label: unknown,
  date: unknown,
  month: unknown,
  problems: FieldProblem[],
): string | undefined {
  if (typeof date === 'string') return date;
  if (label === undefined) return undefined;
  if (typeof label === 'string' && isDay(label)) return label;
  const ordinal = typeof month === 'string' ? monthly.toOrdinal(month) : undefined;
  if (ordinal === undefined) {
    const expected = month instanceof InvalidCell ? month.rule : monthly.requirement;
    const rule = `${expected}; a day does as well, or a column with the date`;
    problems.push({ field: 'period', value: label, rule });
    return undefined;
  }
  const firstOfYear = parseDay(`${monthly.formatLabel(ordinal).slice(4)}-01-01`);
  return formatDay(addMonths(firstOfYear, (ordinal % 12) + 1) - 1);
}

/** The label of a period without one: the month that the day is in. */
export function formatMonthOfDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  return monthly.formatLabel(Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1);
}

/** How often a fund reports, by the distance between its last two periods; newest day first. */
export function inferFrequency([newest, previous]: readonly string[]): string {
  if (newest === undefined || previous === undefined) return 'monthly';
  const days = parseDay(newest) - parseDay(previous);
  if (days > 200) return 'annual';
  return days > 60 ? 'quarterly' : days > 20 ? 'monthly' : 'weekly';
}
