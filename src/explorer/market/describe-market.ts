import { formatDayLabel, formatOtherDay } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { getKeyRateChange, getKeyRateValue, type KeyRate } from './key-rates.ts';
import type { MarketCurves } from './yield-curves.ts';

interface CurveDay {
  /** Undefined if there are no quotes. */
  readonly date: string | undefined;
  readonly curves: MarketCurves;
}

const TEN_YEARS: KeyRate = { key: '10Y', tenor: '10Y' };
const SLOPE: KeyRate = { key: '2s10s', shortTenor: '2Y', tenor: '10Y' };

/**
 * A quotable sentence from the fitted government yields: `10-year 12.27 %, down 29 bp since 29 May; 2s10s 55
 * bp.` Names what cannot be derived; empty without quotes.
 */
export function describeMarket(day: CurveDay, comparison: CurveDay | undefined): string {
  if (day.date === undefined) return '';
  const [percent, slope] = [TEN_YEARS, SLOPE].map((keyRate) => getYield(day, keyRate));
  if (percent === undefined)
    return `No 10-year yield of ${formatDayLabel(day.date)}: no government paper near it is quoted.`;
  const steepness =
    slope === undefined ? 'no 2s10s, without a 2-year yield' : `2s10s ${formatNumber(slope, 0)} bp`;
  const change = describeChange(day.date, percent, comparison);
  return `10-year ${formatNumber(percent, 2)} %${change}; ${steepness}.`;
}

function describeChange(date: string, percent: number, comparison: CurveDay | undefined): string {
  if (comparison?.date === undefined || comparison.date === date) return '';
  const day = formatOtherDay(comparison.date, date);
  const change = getKeyRateChange(percent, getYield(comparison, TEN_YEARS), TEN_YEARS);
  if (change === undefined) return `, without one of ${day} to compare with`;
  const points = formatNumber(Math.abs(change), 0);
  if (comparison.date < date)
    return points === '0'
      ? `, unchanged since ${day}`
      : `, ${change < 0 ? 'down' : 'up'} ${points} bp since ${day}`;
  return points === '0'
    ? `, the same as on ${day}`
    : `, ${points} bp ${change < 0 ? 'lower' : 'higher'} than on ${day}`;
}

function getYield({ curves }: CurveDay, keyRate: KeyRate): number | undefined {
  return getKeyRateValue(curves.government, keyRate, 'yield');
}

/** `since 29 May`; for a later day, `against 30 Jun`. */
export function formatSince(other: string, day: string): string {
  return `${other < day ? 'since' : 'against'} ${formatOtherDay(other, day)}`;
}
