import { addBusinessDays, formatDay, isDay, parseDay } from '../shared/calendar.ts';

/** The default settlement days of a market: T+1. */
export const DEFAULT_SETTLEMENT_DAYS = 1;
export const MAX_SETTLEMENT_DAYS = 5;

/** The settlement day of a trade, by default T+1: a number of weekdays later. Public holidays are ignored. */
export function getSettlementDay(
  tradeDay: number,
  settlementDays: number = DEFAULT_SETTLEMENT_DAYS,
): number {
  return addBusinessDays(tradeDay, settlementDays);
}

/** When trades in a security settle, if its terms say so. */
export interface SettlementTerms {
  readonly settlementDays?: number;
  /** Nothing settles before this day; it also determines the first coupon. */
  readonly issueDate?: string;
  /** The non-business days of its calendar, besides weekends. */
  readonly holidays?: ReadonlySet<number>;
}

/**
 * The settlement day of a trade: the days given by the terms, else those implied by the quote, are counted as
 * business days if a calendar is known, else as weekdays. Never before the issue day.
 */
export function getTradeSettlement(
  { date, maturity }: Omit<SettledQuote, 'maturityYears'>,
  terms: SettlementTerms = {},
  quotedDays?: number,
  defaultDays: number = DEFAULT_SETTLEMENT_DAYS,
): number {
  const { settlementDays, holidays, issueDate } = terms;
  const quotedDay = getSettlementDay(date, quotedDays);
  const settlement =
    settlementDays !== undefined || quotedDays === undefined
      ? addBusinessDays(date, settlementDays ?? defaultDays, holidays)
      : holidays
        ? addBusinessDays(Math.max(date, quotedDay - 1), 1, holidays)
        : quotedDay;
  return Math.max(settlement, findIssueDay(issueDate, maturity) ?? settlement);
}

/** The issue day, unless it is on or after maturity. */
export function findIssueDay(issueDate: string | undefined, maturity: number): number | undefined {
  const issue = issueDate !== undefined && isDay(issueDate) ? parseDay(issueDate) : maturity;
  return issue < maturity ? issue : undefined;
}

/** The holidays of a calendar; its name is matched in any letter case. Empty if it is unknown. */
export type FindHolidays = (calendar: string) => ReadonlySet<number>;

export function indexHolidays(
  holidays: Iterable<{ readonly calendar: string; readonly date: string }>,
): FindHolidays {
  const fold = (calendar: string) => calendar.replace(/[a-z]+/g, (text) => text.toUpperCase());
  const groups = Map.groupBy(holidays, ({ calendar }) => fold(calendar));
  const days = new Map(
    Array.from(groups, ([key, group]) => [key, new Set(group.map(({ date }) => parseDay(date)))]),
  );
  return (calendar) => days.get(fold(calendar)) ?? NO_HOLIDAYS;
}

const NO_HOLIDAYS: ReadonlySet<number> = new Set();

/** The settlement of a quote; `date` and `maturity` are day numbers. */
export interface SettledQuote {
  readonly date: number;
  readonly maturity: number;
  /** From settlement to maturity. */
  readonly maturityYears: number;
}

/**
 * The settlement days of a quote: its `maturityYears` count from the settlement day. Undefined if they have
 * fewer than five decimals, which may match another day by chance, or if they count from none of the days up
 * to five weekdays after the date.
 */
export function findSettlementDays(quote: SettledQuote): number | undefined {
  return isNearInteger(quote.maturityYears * 1e4, 1e-6) ? undefined : guessSettlementDays(quote);
}

/** The same for years with fewer decimals, which may match another day by chance. */
export function guessSettlementDays(quote: SettledQuote): number | undefined {
  const { date, maturity, maturityYears } = quote;
  const daysLeft = maturityYears * 365;
  if (!isNearInteger(daysLeft, MAX_ROUNDED_DAYS)) return undefined;
  const settlement = maturity - Math.round(daysLeft);
  for (let days = 0; days <= MAX_SETTLEMENT_DAYS; days += 1)
    if (getSettlementDay(date, days) === settlement) return days;
  return undefined;
}

/** The settlement days that most of the quotes imply; T+1 if none implies any. */
export function findUsualSettlementDays(quotes: readonly SettledQuote[]): number {
  const counts = new Array<number>(MAX_SETTLEMENT_DAYS + 1).fill(0);
  for (const quote of quotes) {
    const days = findSettlementDays(quote);
    if (days !== undefined) counts[days] = (counts[days] ?? 0) + 1;
  }
  const max = Math.max(...counts);
  return max === 0 ? DEFAULT_SETTLEMENT_DAYS : counts.indexOf(max);
}

/** Years are stored with six decimals, so days have a rounding error of half a millionth of a year. */
const MAX_ROUNDED_DAYS = 365 * 0.51e-6;

function isNearInteger(value: number, tolerance: number): boolean {
  return Math.abs(value - Math.round(value)) <= tolerance;
}

/** Days to maturity over 365; zero or less once the security has matured. */
export function getYearsToMaturity(settlement: number, maturity: number): number {
  return (maturity - settlement) / 365;
}

export function assertBeforeMaturity(maturity: number, settlement: number): void {
  if (settlement < maturity) return;
  const settlementText = Number.isInteger(settlement) ? formatDay(settlement) : settlement;
  throw new RangeError(
    `settlement ${settlementText} is not before maturity ${formatDay(maturity)}`,
  );
}

export function assertPositivePrice(price: number): void {
  // Boards print 0 for no order; such a row must not get a yield.
  if (!(price > 0 && price < Infinity)) throw new RangeError(`not a price: ${price}`);
}
