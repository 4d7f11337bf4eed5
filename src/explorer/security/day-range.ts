import { isDay } from '../../shared/calendar.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { findSpanStart, type Span } from '../formatting/spans.ts';
import type { QuotedSecurity } from './quote-fields.ts';

type UrlParams = Readonly<Record<string, string>>;

/** The spans up to the last quote. */
export const DAY_SPANS = {
  '1M': '1M',
  '3M': '3M',
  '6M': '6M',
  '1Y': '1Y',
  '3Y': '3Y',
  All: 'All',
} as const satisfies Partial<Record<Span, string>>;

type DaySpan = keyof typeof DAY_SPANS;

export const DEFAULT_SPAN: DaySpan = '1Y';

/** The first and last day, both inclusive; undefined means open-ended. */
export interface DayRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function parseSpan({ span = '' }: UrlParams): DaySpan {
  return Object.hasOwn(DAY_SPANS, span) ? (span as DaySpan) : DEFAULT_SPAN;
}

/** The range in the URL: explicit dates, else a span. */
export function parseDayRange(
  params: UrlParams,
  { firstDate, lastDate }: Pick<QuotedSecurity, 'firstDate' | 'lastDate'>,
): DayRange {
  const { from, to } = params;
  if ((from ?? to) !== undefined) return { from, to };
  return { from: findSpanStart(parseSpan(params), lastDate) ?? firstDate, to };
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
