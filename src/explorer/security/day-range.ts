import { isDay } from '../../shared/calendar.ts';
import { addMonthsToDay, formatDayLabel } from '../formatting/dates.ts';
import type { QuotedSecurity } from './quote-fields.ts';

type UrlParams = Readonly<Record<string, string>>;

/** Spans up to the last quote, in months; undefined means everything. */
export const SPAN_MONTHS = {
  '1M': 1,
  '3M': 3,
  '6M': 6,
  '1Y': 12,
  '3Y': 36,
  All: undefined,
} as const;

type RangeSpan = keyof typeof SPAN_MONTHS;

export const DEFAULT_SPAN: RangeSpan = '1Y';

/** The first and last day, both inclusive; undefined means open-ended. */
export interface DayRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function parseSpan(params: UrlParams): RangeSpan {
  return params.span !== undefined && Object.hasOwn(SPAN_MONTHS, params.span)
    ? (params.span as RangeSpan)
    : DEFAULT_SPAN;
}

/** The range in the URL: explicit dates, else a span. */
export function parseDayRange(
  params: UrlParams,
  { firstDate, lastDate }: Pick<QuotedSecurity, 'firstDate' | 'lastDate'>,
): DayRange {
  if (hasExplicitDates(params)) return { from: params.from, to: params.to };
  const months = SPAN_MONTHS[parseSpan(params)];
  const from = months === undefined ? firstDate : addMonthsToDay(lastDate, -months);
  return { from, to: undefined };
}

export function hasExplicitDates(params: UrlParams): boolean {
  return params.from !== undefined || params.to !== undefined;
}

/** The problem of a range; undefined if it is valid. */
export function validateDayRange({ from, to }: DayRange): string | undefined {
  for (const day of [from, to]) {
    if (day !== undefined && !isDay(day)) return `“${day}” is not a date: write it as YYYY-MM-DD.`;
  }
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `The range begins on ${formatDayLabel(from)}, after its end on ${formatDayLabel(to)}.`;
}

export function isInDayRange(day: string, { from, to }: DayRange): boolean {
  return (from === undefined || from <= day) && (to === undefined || day <= to);
}

/** `from 1 Jun 2026 to 30 Jun 2026`. */
export function formatDayRange({ from, to }: DayRange): string {
  const parts = [from && `from ${formatDayLabel(from)}`, to && `to ${formatDayLabel(to)}`];
  return parts.filter(Boolean).join(' ');
}

/** The range of quotes, which are newest first. */
export function getQuotedRange(quotes: readonly { readonly date: string }[]): DayRange {
  return { from: quotes.at(-1)?.date, to: quotes[0]?.date };
}
