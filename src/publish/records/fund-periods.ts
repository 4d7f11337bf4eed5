import { addMonths, formatDay, isDay, parseDay } from '../../calendar.ts';
import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { InvalidCell } from '../cells/create-converter.ts';

/**
 * The day on which a fund's period ends: as given, or the last of the month that its label says.
 * The month is what the label was read as.
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
  const place = typeof month === 'string' ? monthly.toOrdinal(month) : undefined;
  if (place === undefined) {
    const expected = month instanceof InvalidCell ? month.rule : monthly.requirement;
    const rule = `${expected}; a day does as well, or a column with the date`;
    problems.push({ field: 'period', value: label, rule });
    return undefined;
  }
  return getLastDayOfMonth(place);
}

/** The label of a period that has none: the month in which it ends. */
export function formatMonthOfDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  return monthly.formatLabel(Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1);
}

/** How often a fund reports, by the distance of its last two periods; newest day first. */
export function inferFrequency([newest, before]: readonly string[]): string {
  if (newest === undefined || before === undefined) return 'monthly';
  const days = parseDay(newest) - parseDay(before);
  if (days > 200) return 'annual';
  return days > 60 ? 'quarterly' : days > 20 ? 'monthly' : 'weekly';
}

function getLastDayOfMonth(place: number): string {
  const first = parseDay(`${monthly.formatLabel(place).slice(4)}-01-01`);
  return formatDay(addMonths(first, (place % 12) + 1) - 1);
}
