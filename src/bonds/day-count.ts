import { getDayOfMonth, getMonthNumber } from '../shared/calendar.ts';

/**
 * How the days of an interest period are counted. `ACT/ACT` is ICMA's, by coupon periods; `30/360` is ISDA's
 * bond basis, in which all months have 30 days, February too.
 */
export type DayCount = 'ACT/ACT' | FixedDayCount;

/** The day counts that need no coupon periods. */
export type FixedDayCount = 'ACT/365' | 'ACT/360' | '30/360';

/** The years between two days. */
export function getYearFraction(dayCount: FixedDayCount, start: number, end: number): number {
  if (dayCount !== '30/360') return (end - start) / (dayCount === 'ACT/360' ? 360 : 365);
  const startDay = Math.min(30, getDayOfMonth(start));
  const endDay = getDayOfMonth(end);
  const months = getMonthNumber(end) - getMonthNumber(start);
  return (30 * months + (startDay === 30 ? Math.min(30, endDay) : endDay) - startDay) / 360;
}

/** Undefined for ACT/ACT, which is also the default. */
export function toFixedDayCount(dayCount: DayCount | undefined): FixedDayCount | undefined {
  return dayCount === 'ACT/ACT' ? undefined : dayCount;
}
