import { createMonthAdder, getLastDayOfMonth, getMonthNumber } from '../shared/calendar.ts';
import { assertBeforeMaturity } from './settlement.ts';

/** Coupons a year. */
export type Frequency = 1 | 2 | 4 | 12;

/** The terms that determine coupon days, which are day numbers, as `maturity` is. */
export type CouponTerms = {
  maturity: number;
  frequency: Frequency;
  issue?: number | undefined;
  /** Whether all coupon days are the last of their months if one is. */
  endOfMonth?: boolean;
  /** The day of the first coupon, if it does not follow from the day of issue. */
  firstCoupon?: number;
  /** The day of the last coupon before maturity, which the others are counted back from. */
  lastCoupon?: number;
  /** Whether coupons are equal, and only interest in between is counted by the day count. */
  hasEqualCoupons?: boolean;
};

/**
 * The regular coupon days on or before settlement and after it, and the number of coupons after it, including
 * the one at maturity. Coupon days fall on maturity's day of the month, or on the last day of a shorter month.
 * Settlement on or after maturity throws.
 */
export function getCouponSchedule(terms: CouponTerms, settlement: number) {
  assertBeforeMaturity(terms.maturity, settlement);
  // n periods are never more than a day longer than n * 366 / frequency: this is a lower bound.
  const minRemaining = Math.floor(((terms.maturity - settlement) * terms.frequency) / 366);
  const findDay = createDayFinder(terms);
  let remaining = Math.max(1, minRemaining);
  let previous = findDay(remaining);
  while (previous > settlement) {
    remaining += 1;
    previous = findDay(remaining);
  }
  const next = findDay(remaining - 1);
  const accruedDays = settlement - previous;
  return { previous, next, remaining, accruedDays, periodDays: next - previous };
}

/** The coupon days after settlement, in order. */
export function getRemainingCouponDays(terms: CouponTerms, settlement: number): number[] {
  if (hasExplicitPeriods(terms)) return getPeriodDays(terms, settlement).slice(1);
  const { remaining } = getCouponSchedule(terms, settlement);
  const findDay = createDayFinder(terms);
  return Array.from({ length: remaining }, (_, index) => findDay(remaining - 1 - index));
}

/** Whether the terms name a coupon day, or count interest apart from coupons. */
export function hasExplicitPeriods({ firstCoupon, lastCoupon, hasEqualCoupons }: CouponTerms) {
  return (firstCoupon ?? lastCoupon) !== undefined || hasEqualCoupons === true;
}

/** The day on which interest of the period of settlement begins, then the coupon days after settlement. */
export function getPeriodDays(terms: CouponTerms, settlement: number): number[] {
  const { maturity, lastCoupon = maturity } = terms;
  assertBeforeMaturity(maturity, settlement);
  const { issue, firstCoupon } = findInterestStart(terms, settlement);
  const grid = getCouponGrid(terms, Math.min(settlement, issue ?? settlement));
  const isPaid = (day: number) => day > (issue ?? day - 1) && day >= (firstCoupon ?? day);
  const regular = grid.filter((day) => day < lastCoupon);
  const named = [firstCoupon ?? maturity, lastCoupon, maturity];
  const days = [...new Set([...regular, ...named])].filter(isPaid).sort((a, b) => a - b);
  const next = days.findIndex((day) => day > settlement);
  const before = days[next - 1] ?? issue ?? grid.findLast((day) => day < (days[next] as number));
  return [before as number, ...days.slice(next)];
}

/** The terms with the first coupon that follows from the day of issue, if it is odd. */
function findInterestStart(terms: CouponTerms, settlement: number): CouponTerms {
  const { maturity, issue, firstCoupon, lastCoupon = maturity } = terms;
  if (firstCoupon !== undefined || issue === undefined || issue >= lastCoupon) return terms;
  const anchored = { ...terms, maturity: lastCoupon };
  const first = findFirstCoupon(anchored, issue, settlement);
  if (!first) return { ...terms, issue: undefined };
  const { start, periodsFromFirst } = first;
  return { ...terms, issue: start, firstCoupon: createDayFinder(anchored)(periodsFromFirst) };
}

/** Consecutive regular coupon days, from one on or before a day to one on or after maturity. */
export function getCouponGrid(terms: CouponTerms, from: number): number[] {
  const { maturity, frequency, firstCoupon = Number.NaN, lastCoupon = maturity } = terms;
  const findDay = createDayFinder({ ...terms, maturity: lastCoupon });
  let periodsBack = -Math.ceil(((maturity - lastCoupon) * frequency) / 360);
  const days: number[] = [];
  do days.unshift(findDay(periodsBack++));
  while ((days[0] as number) > from);
  // One on the last day of a month, which others may be too late for, begins a whole period.
  const month = getMonthNumber(firstCoupon);
  return days.map((day) =>
    isLastOfMonth(firstCoupon) && getMonthNumber(day) === month ? firstCoupon : day,
  );
}

// Counted from maturity: stepping from coupon to coupon would keep a day of the month that was clipped once.
function createDayFinder({ maturity, frequency, endOfMonth }: CouponTerms) {
  const months = 12 / frequency;
  if (endOfMonth && isLastOfMonth(maturity)) {
    const lastMonth = getMonthNumber(maturity);
    return (periodsBack: number) => getLastDayOfMonth(lastMonth - months * periodsBack);
  }
  const addToMaturity = createMonthAdder(maturity);
  return (periodsBack: number) => addToMaturity(-months * periodsBack);
}

const isLastOfMonth = (day: number) => day === getLastDayOfMonth(getMonthNumber(day));

/** An odd first coupon, or one whose interest has yet to begin. */
export interface FirstCoupon {
  /** The day interest begins: the issue day, or the coupon day that the issue was moved from. */
  readonly start: number;
  /** From that day to maturity, in coupon periods, like the next figure. */
  readonly periodsFromStart: number;
  /** From the day of the first coupon to maturity. */
  readonly periodsFromFirst: number;
}

/** Weekends and holidays move issues by up to this much without changing the first coupon. */
const MAX_MOVED_DAYS = 4;

/** A shorter first period is added to the next one, which makes a long first coupon. */
const MIN_SHORT_PERIOD = 1 / 4;

/**
 * The first coupon, by the issue day, if it is odd or if interest begins after settlement. Undefined
 * otherwise, or if settlement is too long after issue for it to matter.
 */
export function findFirstCoupon(
  terms: CouponTerms,
  issue: number,
  settlement: number,
): FirstCoupon | undefined {
  const maxFirstDays = (366 * (1 + MIN_SHORT_PERIOD)) / terms.frequency + 2;
  if (issue >= terms.maturity || settlement - issue > maxFirstDays) return undefined;
  const { previous, next, remaining, accruedDays, periodDays } = getCouponSchedule(terms, issue);
  const daysToNext = next - issue;
  const movedFrom =
    accruedDays <= MAX_MOVED_DAYS ? previous : daysToNext <= MAX_MOVED_DAYS ? next : undefined;
  if (movedFrom !== undefined && movedFrom < terms.maturity) {
    if (settlement >= movedFrom) return undefined;
    const periodsFromStart = movedFrom === next ? remaining - 1 : remaining;
    return { start: movedFrom, periodsFromStart, periodsFromFirst: periodsFromStart - 1 };
  }
  const isLong = daysToNext < periodDays * MIN_SHORT_PERIOD && remaining > 1;
  const periodsFromFirst = isLong ? remaining - 2 : remaining - 1;
  return { start: issue, periodsFromStart: remaining - accruedDays / periodDays, periodsFromFirst };
}
