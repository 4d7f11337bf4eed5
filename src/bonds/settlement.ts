import { isWeekend } from '../calendar.ts';

/** The day a trade settles: T+1, the next weekday. Public holidays are ignored. */
export function getSettlementDay(tradeDay: number): number {
  let day = tradeDay + 1;
  while (isWeekend(day)) day += 1;
  return day;
}

/** Days to maturity over 365; zero or less once the security has matured. */
export function getYearsToMaturity(settlement: number, maturity: number): number {
  return (maturity - settlement) / 365;
}
