import {
  accruedInterest,
  type CouponBond,
  cleanPrice,
  getBondCashFlows,
  getPayment,
  modifiedDuration,
  yieldToMaturity,
} from './coupon-bond.ts';
import {
  billModifiedDuration,
  billPrice,
  billYield,
  type DiscountBill,
  getBillYears,
} from './discount-bill.ts';

/** Figures that follow from the clean price of a security, per 100 of face value. */
export interface BondFigures {
  readonly accrued: number;
  readonly dirtyPrice: number;
  /** In percent: compounded as often as coupons are paid; simple for a discount security, or its discount rate. */
  readonly ytm: number;
  /** In years, by the yield's own count. */
  readonly macaulayDuration: number;
  readonly modifiedDuration: number;
  /** The second derivative of price by yield, over price, in years squared. */
  readonly convexity: number;
  /** The change of the price for a yield change of one basis point. */
  readonly dv01: number;
}

/** A security, and the settlement day of a trade in it. */
export interface SettledSecurity {
  readonly security: CouponBond | DiscountBill;
  readonly settlement: number;
}

/** The price at a yield in percent; throws a RangeError if it has none. */
export function computePrice({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return cleanPrice(security, settlement, ytm);
  return billPrice(security, settlement, ytm);
}

export function computeYield({ security, settlement }: SettledSecurity, price: number): number {
  if ('couponRate' in security) return yieldToMaturity(security, settlement, price);
  return billYield(security, settlement, price);
}

export function computeDuration({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return modifiedDuration(security, settlement, ytm);
  return billModifiedDuration(security, settlement, ytm);
}

/** Throws a RangeError after maturity, or if the price, which must be positive, has no yield. */
export function computeBondFigures(
  security: CouponBond | DiscountBill,
  settlement: number,
  price: number,
): BondFigures {
  const isBond = 'couponRate' in security;
  const accrued = isBond ? accruedInterest(security, settlement) : 0;
  const dirtyPrice = price + accrued;
  const ytm = computeYield({ security, settlement }, price);
  const durations = isBond
    ? computeBondDurations(security, settlement, ytm)
    : computeBillDurations(security, settlement, ytm);
  const dv01 = (durations.modifiedDuration * dirtyPrice) / 10_000;
  const figures = { accrued, dirtyPrice, ytm, ...durations, dv01 };
  if (!Object.values(figures).every(Number.isFinite))
    throw new RangeError(`no finite figures at a price of ${price}`);
  return figures;
}

function computeBondDurations(bond: CouponBond, settlement: number, ytm: number) {
  const { frequency } = bond;
  const flows = getBondCashFlows(bond, settlement);
  const { simplePeriods = 0 } = flows;
  const discount = 1 / (1 + ytm / 100 / frequency);
  let [value, first, second] = [0, 0, 0];
  for (let index = 0; index < flows.count; index += 1) {
    const periods = (flows.periods?.[index] ?? flows.periodsToFirst + index) - simplePeriods;
    const present = getPayment(flows, index) * discount ** periods;
    value += present;
    first += periods * present;
    second += periods * (periods + 1) * present;
  }
  const compounded = first / value / frequency;
  const simple = simplePeriods / frequency;
  const [duration, simpleDuration] = [compounded * discount, simple / (1 + (simple * ytm) / 100)];
  return {
    macaulayDuration: compounded + simple,
    modifiedDuration: duration + simpleDuration,
    convexity:
      (second / value / frequency ** 2) * discount ** 2 +
      2 * simpleDuration * (duration + simpleDuration),
  };
}

function computeBillDurations(bill: DiscountBill, settlement: number, ytm: number) {
  const macaulayDuration = getBillYears(bill, settlement);
  const modifiedDuration = billModifiedDuration(bill, settlement, ytm);
  const convexity = bill.isBankDiscount ? 0 : 2 * modifiedDuration ** 2;
  return { macaulayDuration, modifiedDuration, convexity };
}
