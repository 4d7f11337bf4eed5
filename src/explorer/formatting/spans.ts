import { addMonthsToDay } from './dates.ts';

/** How far back charts reach, in months up to their newest day; undefined means everything. */
const SPAN_MONTHS = {
  '1M': 1,
  '3M': 3,
  '6M': 6,
  '1Y': 12,
  '3Y': 36,
  '5Y': 60,
  '10Y': 120,
  All: undefined,
} as const;

export type Span = keyof typeof SPAN_MONTHS;

/** The first day of a span up to the last one; undefined if it is everything. */
export function findSpanStart(span: Span, lastDay: string): string | undefined {
  const months = SPAN_MONTHS[span];
  return months && addMonthsToDay(lastDay, -months);
}
