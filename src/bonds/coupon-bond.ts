import { addBusinessDays } from '../shared/calendar.ts';
import {
  type CouponTerms,
  type FirstCoupon,
  findFirstCoupon,
  getCouponGrid,
  getCouponSchedule,
  getPeriodDays,
  getRemainingCouponDays,
  hasExplicitPeriods,
} from './coupon-schedule.ts';
import {
  type DayCount,
  type FixedDayCount,
  getYearFraction,
  toFixedDayCount,
} from './day-count.ts';
import { assertPositivePrice } from './settlement.ts';

/**
 * A bond that pays `couponRate` percent a year, zero or more, and 100 at maturity. Yields compound
 * `frequency` times a year; days count ACT/ACT (ICMA) by default. With an issue date, the first coupon may be
 * short or long, and nothing is paid or accrues before. Every function here throws if settlement is on or
 * after maturity.
 */
export type CouponBond = CouponTerms & {
  couponRate: number;
  dayCount?: DayCount;
  exDividend?: ExDividendPeriod;
  /** What the coupon of a day pays beyond `couponRate`, all of it accrued: of a floater, at earlier rates. */
  extraInterest?: { readonly couponDay: number; readonly amount: number };
  /**
   * When the yield is simple up to the next coupon, rather than compounded: only in the `last` period, or in
   * every one (`first`), as of US Treasuries at auction.
   */
  simpleYield?: 'first' | 'last' | undefined;
};

/** The days before a coupon day during which a buyer does not get that coupon. */
export interface ExDividendPeriod {
  readonly days: number;
  /** Business days if holidays are known, else calendar days. */
  readonly holidays?: ReadonlySet<number>;
}

/**
 * Interest since the last coupon day, or since issue, per 100; zero on a coupon day. Negative in the
 * ex-dividend period: the interest up to the coupon day, which the buyer does not get.
 */
export function accruedInterest(bond: CouponBond, settlement: number): number {
  return getBondCashFlows(bond, settlement).accrued;
}

/** The price per 100, without accrued interest, at a yield above -100 percent a period. */
export function cleanPrice(bond: CouponBond, settlement: number, yieldPercent: number): number {
  const flows = getBondCashFlows(bond, settlement);
  return presentValue(flows, toForceOfInterest(bond, yieldPercent)).value - flows.accrued;
}

/** The yield at a clean price, which must be positive; the inverse of `cleanPrice`. */
export function yieldToMaturity(bond: CouponBond, settlement: number, price: number): number {
  assertPositivePrice(price);
  const flows = getBondCashFlows(bond, settlement);
  const yieldPercent =
    Math.expm1(solveForceOfInterest(flows, price + flows.accrued)) * 100 * bond.frequency;
  // Shortly before maturity, a price far from 100 compounds beyond the range of numbers.
  if (!Number.isFinite(yieldPercent))
    throw new RangeError(`no finite yield at a price of ${price}`);
  return yieldPercent;
}

/** The percentage by which the dirty price falls if the yield rises by one point: in years, positive. */
export function modifiedDuration(
  bond: CouponBond,
  settlement: number,
  yieldPercent: number,
): number {
  const force = toForceOfInterest(bond, yieldPercent);
  const { macaulayPeriods } = presentValue(getBondCashFlows(bond, settlement), force);
  return macaulayPeriods / bond.frequency / Math.exp(force);
}

/** Coupons of consecutive periods, with 100 of principal in the last; all per 100. */
export type BondCashFlows = {
  /** Paid at the end of each period, zero or more. */
  coupon: number;
  /** Payments that replace the first few coupons, such as an odd first coupon. */
  oddCoupons: readonly number[];
  /** Remaining periods, at least one. */
  count: number;
  /** Periods from now to the end of the current one, more than 0 and at most 1. */
  periodsToFirst: number;
  /** Periods from now to each payment, by the day count; absent if they are one period apart. */
  periods?: readonly number[];
  /** How many of the periods to the first payment the yield is simple in; absent if in none. */
  simplePeriods?: number;
  accrued: number;
  /** Whether the next coupon is that of the seller. */
  isExDividend?: true;
};

export function getBondCashFlows(bond: CouponBond, settlement: number): BondCashFlows {
  if (!(bond.couponRate >= 0)) throw new RangeError(`not a coupon rate: ${bond.couponRate}`);
  const flows = addExtraInterest(bond, settlement, countFlows(bond, settlement));
  if (!bond.simpleYield) return flows;
  const stub = flows.periods?.[0] ?? flows.periodsToFirst;
  if (bond.simpleYield === 'first') return { ...flows, simplePeriods: stub % 1 };
  return flows.count === 1 ? { ...flows, simplePeriods: stub } : flows;
}

function addExtraInterest(
  { extraInterest }: CouponBond,
  settlement: number,
  flows: BondCashFlows,
): BondCashFlows {
  if (!extraInterest || settlement >= extraInterest.couponDay || flows.isExDividend) return flows;
  const { amount } = extraInterest;
  const [regular = flows.coupon, ...others] = flows.oddCoupons;
  const coupon = regular + amount;
  if (coupon < 0) throw new RangeError(`not a coupon: ${coupon}`);
  return { ...flows, oddCoupons: [coupon, ...others], accrued: flows.accrued + amount };
}

function countFlows(bond: CouponBond, settlement: number): BondCashFlows {
  const { issue, exDividend } = bond;
  if (hasExplicitPeriods(bond)) return countExplicitPeriods(bond, settlement);
  const schedule = getCouponSchedule(bond, settlement);
  const found = issue === undefined ? undefined : findFirstCoupon(bond, issue, settlement);
  const first = found && schedule.remaining > found.periodsFromFirst ? found : undefined;
  const dayCount = toFixedDayCount(bond.dayCount);
  if (!dayCount && !exDividend) return countInPeriods(bond, schedule, first);
  const accrual: Accrual = {
    settlement,
    start: first?.start ?? schedule.previous,
    couponDays: getRemainingCouponDays(bond, settlement),
    unpaidCount: first ? schedule.remaining - 1 - first.periodsFromFirst : 0,
  };
  const flows = dayCount
    ? countInYears(bond, dayCount, accrual)
    : countInPeriods(bond, schedule, first);
  return exDividend ? withoutExDividend(bond, exDividend, accrual, flows) : flows;
}

/** The days between which interest accrues. */
interface Accrual {
  readonly settlement: number;
  /** The last coupon day, or the day interest begins, before the first coupon. */
  readonly start: number;
  /** The coupon days after settlement. */
  readonly couponDays: readonly number[];
  /** How many of them precede the first coupon and pay nothing. */
  readonly unpaidCount: number;
}

/** ACT/ACT: a coupon for each period, however long it is. */
function countInPeriods(
  { couponRate, frequency }: CouponBond,
  { remaining: count, accruedDays, periodDays }: ReturnType<typeof getCouponSchedule>,
  first: FirstCoupon | undefined,
): BondCashFlows {
  const coupon = couponRate / frequency;
  const periodsToFirst = (periodDays - accruedDays) / periodDays;
  if (!first) {
    const accrued = (coupon * accruedDays) / periodDays;
    return { coupon, oddCoupons: NO_COUPONS, count, periodsToFirst, accrued };
  }
  const { periodsFromStart, periodsFromFirst } = first;
  const unpaid = new Array<number>(count - 1 - periodsFromFirst).fill(0);
  const firstCoupon = coupon * (periodsFromStart - periodsFromFirst);
  const accruedPeriods = periodsFromStart - (count - 1 + periodsToFirst);
  const accrued = coupon * Math.max(0, accruedPeriods);
  return { coupon, oddCoupons: [...unpaid, firstCoupon], count, periodsToFirst, accrued };
}

/** Other day counts: a coupon for the days of its period; yields compound by the same years. */
function countInYears(
  { couponRate, frequency }: CouponBond,
  dayCount: FixedDayCount,
  { settlement, start, couponDays, unpaidCount }: Accrual,
): BondCashFlows {
  const accruedYears = getYearFraction(dayCount, start, settlement);
  const oddCoupons = new Array<number>(unpaidCount).fill(0);
  const periods = new Array<number>(unpaidCount).fill(0);
  let [years, periodStart] = [-accruedYears, start];
  for (const day of couponDays.slice(unpaidCount)) {
    const periodYears = getYearFraction(dayCount, periodStart, day);
    years += periodYears;
    oddCoupons.push(couponRate * periodYears);
    periods.push(years * frequency);
    periodStart = day;
  }
  const [periodsToFirst = 0] = periods.slice(unpaidCount);
  const accrued = couponRate * Math.max(0, accruedYears);
  return { coupon: 0, oddCoupons, count: couponDays.length, periodsToFirst, periods, accrued };
}

/** Named coupon days, or equal coupons: each period is a part, or a multiple, of regular ones. */
function countExplicitPeriods(bond: CouponBond, settlement: number): BondCashFlows {
  const { couponRate, frequency, exDividend, hasEqualCoupons } = bond;
  const [start = 0, ...couponDays] = getPeriodDays(bond, settlement);
  const accrual: Accrual = { settlement, start, couponDays, unpaidCount: 0 };
  const dayCount = toFixedDayCount(bond.dayCount);
  const addExDividend = (flows: BondCashFlows) =>
    exDividend ? withoutExDividend(bond, exDividend, accrual, flows) : flows;
  if (dayCount && !hasEqualCoupons) return addExDividend(countInYears(bond, dayCount, accrual));
  const toPeriods = createPeriodCounter(bond, Math.min(start, settlement), dayCount);
  const now = toPeriods(settlement);
  const count = (from: number, to: number) => {
    const periods = toPeriods(to) - toPeriods(from);
    if (!dayCount || periods === 1) return periods;
    return getYearFraction(dayCount, from, to) * frequency;
  };
  const coupon = couponRate / frequency;
  const periods = couponDays.map((day) => toPeriods(day) - now);
  return addExDividend({
    coupon: 0,
    oddCoupons: couponDays.map((day, index) => coupon * count(couponDays[index - 1] ?? start, day)),
    count: couponDays.length,
    periodsToFirst: periods[0] as number,
    periods,
    accrued: settlement > start ? coupon * count(start, settlement) : 0,
  });
}

/** Counts regular periods up to a day: parts of one by its days, or by the days of a day count. */
function createPeriodCounter(bond: CouponBond, from: number, dayCount: FixedDayCount | undefined) {
  const grid = getCouponGrid(bond, from);
  const getDays = (start: number, end: number) =>
    dayCount ? getYearFraction(dayCount, start, end) : end - start;
  return (day: number) => {
    const index = Math.min(
      grid.findLastIndex((each) => each <= day),
      grid.length - 2,
    );
    const [start, end] = [grid[index] as number, grid[index + 1] as number];
    return index + getDays(start, day) / getDays(start, end);
  };
}

/** The flows, without the next coupon if settlement is in its ex-dividend period. */
function withoutExDividend(
  { couponRate, frequency, dayCount }: CouponBond,
  { days, holidays }: ExDividendPeriod,
  { settlement, couponDays, unpaidCount }: Accrual,
  flows: BondCashFlows,
): BondCashFlows {
  const couponDay = couponDays[unpaidCount] as number;
  const firstDay = holidays ? addBusinessDays(couponDay, -days, holidays) : couponDay - days;
  if (settlement < firstDay) return flows;
  const fixedDayCount = toFixedDayCount(dayCount);
  const years = fixedDayCount
    ? getYearFraction(fixedDayCount, settlement, couponDay)
    : (flows.periods?.[0] ?? unpaidCount + flows.periodsToFirst) / frequency;
  const unpaid = new Array<number>(unpaidCount + 1).fill(0);
  const oddCoupons = [...unpaid, ...flows.oddCoupons.slice(unpaid.length)];
  return { ...flows, oddCoupons, accrued: -couponRate * years, isExDividend: true };
}

const NO_COUPONS: readonly number[] = [];

/** The payment at the end of a remaining period, counted from 0. */
export function getPayment({ coupon, oddCoupons, count }: BondCashFlows, index: number): number {
  const paid = index < oddCoupons.length ? (oddCoupons[index] as number) : coupon;
  return index === count - 1 ? paid + 100 : paid;
}

function toForceOfInterest(bond: CouponBond, yieldPercent: number): number {
  return Math.log1p(yieldPercent / 100 / bond.frequency);
}

/**
 * The present value of the flows, and their Macaulay duration in periods. `force` is
 * ln(1 + yield per period). Throws on overflow.
 */
function presentValue(flows: BondCashFlows, force: number) {
  const { coupon, oddCoupons, count, periodsToFirst, periods } = flows;
  if (periods) return sumPresentValues(flows, periods, force);
  const discount = Math.exp(-force);
  // Horner's scheme, from the last payment back. The closed form of the annuity is no faster at
  // forty coupons, and its duration loses digits to cancellation at yields near zero.
  let sum = getPayment(flows, count - 1);
  let weightedPeriods = 0;
  for (let index = count - 2; index >= 0; index -= 1) {
    weightedPeriods = (weightedPeriods + sum) * discount;
    sum = sum * discount + (index < oddCoupons.length ? (oddCoupons[index] as number) : coupon);
  }
  const value = sum * Math.exp(-force * periodsToFirst);
  return withSimplePeriods(flows, value, periodsToFirst + weightedPeriods / sum, force);
}

/** The same for unequal periods between payments. */
function sumPresentValues(flows: BondCashFlows, periods: readonly number[], force: number) {
  let [value, weightedPeriods] = [0, 0];
  for (const [index, time] of periods.entries()) {
    const present = getPayment(flows, index) * Math.exp(-force * time);
    value += present;
    weightedPeriods += time * present;
  }
  return withSimplePeriods(flows, value, weightedPeriods / value, force);
}

/** The duration is that of a compounded yield with the same slope. */
function withSimplePeriods(
  { simplePeriods = 0 }: BondCashFlows,
  value: number,
  macaulayPeriods: number,
  force: number,
) {
  if (simplePeriods === 0) return assertFinite(value, macaulayPeriods, force);
  const growth = 1 + simplePeriods * Math.expm1(force);
  return assertFinite(
    growth > 0 ? (value * Math.exp(force * simplePeriods)) / growth : Infinity,
    macaulayPeriods - simplePeriods + (simplePeriods * Math.exp(force)) / growth,
    force,
  );
}

function assertFinite(value: number, macaulayPeriods: number, force: number) {
  if (!(value < Infinity && macaulayPeriods < Infinity))
    throw new RangeError(`no price at a yield of ${100 * Math.expm1(force)} percent a period`);
  return { value, macaulayPeriods };
}

/** The force of interest at which the flows are worth `target`, a positive number. */
function solveForceOfInterest(flows: BondCashFlows, target: number): number {
  // The logarithm of a sum of exponentials is convex, and this one is decreasing: Newton's method
  // converges to the only root from any start, so it needs no bracket. With simple periods it is nearly so.
  let force = startForce(flows, target);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { value, macaulayPeriods } = presentValue(flows, force);
    const gap = Math.log(value / target);
    force += gap / macaulayPeriods;
    // Convergence is quadratic: the next gap would be below rounding.
    if (Math.abs(gap) < 1e-10) return force;
  }
  throw new RangeError(`no yield at a price of ${target} with interest`);
}

const MAX_STEPS = 1_000;

/** The solution of a single payment at a simple yield, whose logarithm is not convex. */
function startForce(flows: BondCashFlows, target: number): number {
  const { count, simplePeriods } = flows;
  if (count > 1 || !simplePeriods) return 0;
  return Math.log1p((getPayment(flows, 0) / target - 1) / simplePeriods);
}
