import {
  billModifiedDuration,
  billPrice,
  billYield,
  cleanPrice,
  modifiedDuration,
  yieldToMaturity,
} from '../../bonds/index.ts';
import { roundTo } from '../rounding.ts';
import type { SampleSecurity } from './generate-securities.ts';

/** What a security costs and yields when it settles on one day. */
export interface SecurityPricer {
  /** The price as it is quoted, at a yield in percent. */
  readonly priceAt: (yieldPercent: number) => number;
  /** The three figures of a trade at a quoted price, which always agree. */
  readonly tradeAt: (price: number) => Trade;
}

export interface Trade {
  readonly lastPrice: number;
  readonly ytm: number;
  readonly duration: number;
}

/** The pricing of a security on a settlement day before its maturity. */
export function createPricer(security: SampleSecurity, settlement: number): SecurityPricer {
  const { priced, yields, lasts } = getFormulas(security, settlement);
  return {
    priceAt: (yieldPercent) => roundTo(priced(yieldPercent), 4),
    tradeAt: (lastPrice) => {
      const exact = yields(lastPrice);
      return { lastPrice, ytm: roundTo(exact, 6), duration: roundTo(lasts(exact), 6) };
    },
  };
}

function getFormulas(security: SampleSecurity, settlement: number) {
  const { coupon, maturity } = security;
  if (coupon === 'discount') {
    const bill = { maturity };
    return {
      priced: (yieldPercent: number) => billPrice(bill, settlement, yieldPercent),
      yields: (price: number) => billYield(bill, settlement, price),
      lasts: (yieldPercent: number) => billModifiedDuration(bill, settlement, yieldPercent),
    };
  }
  // A floating rate is priced as if it stayed where it is.
  const { frequency } = coupon;
  const bond = { maturity, frequency, couponRate: security.couponRate(settlement) };
  return {
    priced: (yieldPercent: number) => cleanPrice(bond, settlement, yieldPercent),
    yields: (price: number) => yieldToMaturity(bond, settlement, price),
    lasts: (yieldPercent: number) => modifiedDuration(bond, settlement, yieldPercent),
  };
}
