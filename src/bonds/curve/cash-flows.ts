import { type CouponBond, getBondCashFlows, getPayment } from '../coupon-bond.ts';
import { getRemainingCouponDays } from '../coupon-schedule.ts';
import type { DiscountBill } from '../discount-bill.ts';
import { assertBeforeMaturity, getYearsToMaturity } from '../settlement.ts';

/** The payments of a security after settlement, per 100 of face value, in the order of time. */
export interface CashFlows {
  readonly days: readonly number[];
  /** From settlement, actual/365. */
  readonly years: readonly number[];
  readonly amounts: readonly number[];
}

/** The coupons and the principal; throws when settlement is on or after maturity. */
export function getCashFlows(security: CouponBond | DiscountBill, settlement: number): CashFlows {
  const { maturity } = security;
  assertBeforeMaturity(maturity, settlement);
  if (!('couponRate' in security)) return toCashFlows([{ day: maturity, amount: 100 }], settlement);
  const flows = getBondCashFlows(security, settlement);
  const payments = getRemainingCouponDays(security, settlement)
    .map((day, index) => ({ day, amount: getPayment(flows, index) }))
    .filter(({ amount }) => amount > 0);
  return toCashFlows(payments, settlement);
}

function toCashFlows(
  payments: readonly { readonly day: number; readonly amount: number }[],
  settlement: number,
): CashFlows {
  return {
    days: payments.map(({ day }) => day),
    years: payments.map(({ day }) => getYearsToMaturity(settlement, day)),
    amounts: payments.map(({ amount }) => amount),
  };
}

/** A security with its dirty price, which is positive. */
export interface PricedSecurity {
  readonly security: CouponBond | DiscountBill;
  readonly dirtyPrice: number;
}

/** The cash flows of several securities, one after the other, with the prices of the securities. */
export interface PricedFlows {
  readonly years: Float64Array;
  readonly amounts: Float64Array;
  /** Where the flows of each security begin, then where the last ones end. */
  readonly starts: Uint32Array;
  readonly prices: Float64Array;
  /** The continuously compounded rate, as a fraction, that gives each security its price. */
  readonly flatRates: Float64Array;
  /** Modified durations in years; relative price errors over these are yield errors. */
  readonly durations: Float64Array;
}

/** Throws a RangeError if a security has matured. */
export function toPricedFlows(
  securities: readonly PricedSecurity[],
  settlement: number,
): PricedFlows {
  const flows = securities.map(({ security }) => getCashFlows(security, settlement));
  const starts = new Uint32Array(securities.length + 1);
  for (const [index, { years }] of flows.entries())
    starts[index + 1] = (starts[index] as number) + years.length;
  const years = new Float64Array(flows.flatMap((flow) => flow.years));
  const amounts = new Float64Array(flows.flatMap((flow) => flow.amounts));
  const prices = new Float64Array(securities.map(({ dirtyPrice }) => dirtyPrice));
  const flatRates = new Float64Array(securities.length);
  const durations = new Float64Array(securities.length);
  for (const [index, { security, dirtyPrice }] of securities.entries()) {
    const { rate, macaulayDuration } = solveFlatRate(flows[index] as CashFlows, dirtyPrice);
    flatRates[index] = rate;
    durations[index] =
      'couponRate' in security
        ? macaulayDuration * Math.exp(-rate / security.frequency)
        : (macaulayDuration * dirtyPrice) / 100;
  }
  return { years, amounts, starts, prices, flatRates, durations };
}

/** Newton's method on the logarithm of the price, which is convex, converges from any start. */
function solveFlatRate({ years, amounts }: CashFlows, price: number) {
  let rate = 0;
  for (;;) {
    let value = 0;
    let weightedYears = 0;
    for (let index = 0; index < years.length; index += 1) {
      const time = years[index] as number;
      const present = (amounts[index] as number) * Math.exp(-rate * time);
      value += present;
      weightedYears += time * present;
    }
    const macaulayDuration = weightedYears / value;
    const gap = Math.log(value / price);
    // NaN, from a price beyond the range of numbers, ends it too.
    if (!(Math.abs(gap) > 1e-10)) return { rate, macaulayDuration };
    rate += gap / macaulayDuration;
  }
}
