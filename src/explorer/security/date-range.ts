import { isDay } from '../../calendar.ts';
import { addMonthsToDay, formatDayLabel } from '../formatting/dates.ts';

/** How far back from its last quote a security is shown, in months; undefined is all of it. */
export const SPAN_MONTHS = {
  '1M': 1,
  '3M': 3,
  '6M': 6,
  '1Y': 12,
  '3Y': 36,
  All: undefined,
} as const;

export type RangeSpan = keyof typeof SPAN_MONTHS;

export const DEFAULT_SPAN: RangeSpan = '1Y';

/** The days that are shown, both inclusive; undefined is open. */
export interface DateRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface QuotedDates {
  readonly firstDate: string;
  readonly lastDate: string;
}

/** The span that the address names, or the usual one. */
export function parseSpan(at: Readonly<Record<string, string>>): RangeSpan {
  return at.span !== undefined && Object.hasOwn(SPAN_MONTHS, at.span)
    ? (at.span as RangeSpan)
    : DEFAULT_SPAN;
}

/** The range that the address names: its days where it has some, otherwise its span. */
export function parseDateRange(
  at: Readonly<Record<string, string>>,
  quoted: QuotedDates,
): DateRange {
  if (hasExplicitDates(at)) return { from: at.from, to: at.to };
  const months = SPAN_MONTHS[parseSpan(at)];
  const from = months === undefined ? quoted.firstDate : addMonthsToDay(quoted.lastDate, -months);
  return { from, to: undefined };
}

/** Whether days were chosen, rather than a span. */
export function hasExplicitDates(at: Readonly<Record<string, string>>): boolean {
  return at.from !== undefined || at.to !== undefined;
}

/** Why there is no such range; undefined where there is one. */
export function validateDateRange({ from, to }: DateRange): string | undefined {
  for (const day of [from, to]) {
    if (day !== undefined && !isDay(day)) {
      return `“${day}” is no day of the calendar: a day is written as YYYY-MM-DD.`;
    }
  }
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `The range would begin on ${formatDayLabel(from)}, after its end on ${formatDayLabel(to)}.`;
}

/** Whether a day lies within a range. */
export function isInDateRange(day: string, { from, to }: DateRange): boolean {
  return (from === undefined || from <= day) && (to === undefined || day <= to);
}

/** A range in words that follow a noun: `from 1 Jun 2026 to 30 Jun 2026`. */
export function formatDateRange({ from, to }: DateRange): string {
  const words = [from && `from ${formatDayLabel(from)}`, to && `to ${formatDayLabel(to)}`];
  return words.filter(Boolean).join(' ');
}

/** From the first to the last of quotes that come newest first. */
export function getQuotedRange(quotes: readonly { readonly date: string }[]): DateRange {
  return { from: quotes.at(-1)?.date, to: quotes[0]?.date };
}
