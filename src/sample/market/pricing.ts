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

/** Prices a security for settlement on a day before its maturity; yields are in percent. */
export function createPricer(security: SampleSecurity, settlement: number) {
  const { toPrice, toYield, toDuration } = getFormulas(security, settlement);
  return {
    priceAt: (yieldPercent: number) => roundTo(toPrice(yieldPercent), 4),
    /** The three consistent figures of a trade at a quoted price. */
    tradeAt: (lastPrice: number) => {
      const ytm = toYield(lastPrice);
      return { lastPrice, ytm: roundTo(ytm, 6), duration: roundTo(toDuration(ytm), 6) };
    },
  };
}

function getFormulas({ coupon, maturity, couponRate }: SampleSecurity, settlement: number) {
  if (coupon === 'discount') {
    return {
      toPrice: (ytm: number) => billPrice({ maturity }, settlement, ytm),
      toYield: (price: number) => billYield({ maturity }, settlement, price),
      toDuration: (ytm: number) => billModifiedDuration({ maturity }, settlement, ytm),
    };
  }
  // A floating rate is priced as if it stayed at its current value.
  const bond = { maturity, frequency: coupon.frequency, couponRate: couponRate(settlement) };
  return {
    toPrice: (ytm: number) => cleanPrice(bond, settlement, ytm),
    toYield: (price: number) => yieldToMaturity(bond, settlement, price),
    toDuration: (ytm: number) => modifiedDuration(bond, settlement, ytm),
  };
}
