import {
  type CurveParameters,
  getCashFlows,
  getDiscountFactor,
} from '../../src/bonds/curve/index.ts';
import {
  accruedInterest,
  type CouponBond,
  computeBondFigures,
  type DiscountBill,
  getSettlementDay,
} from '../../src/bonds/index.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';

/** The zero rates of the market, which all its prices are made from. */
export const MARKET_CURVE: CurveParameters = {
  beta0: 12.5,
  beta1: -1.5,
  beta2: 1,
  beta3: 0,
  tau1: 1.8,
  tau2: 1.8,
};

export const MARKET_DATE = '2026-06-30';
const DATES = ['2026-06-29', MARKET_DATE];

const HEADER =
  'date,symbol,isin,type,maturityDate,maturityYears,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume,ytm,duration,couponRate,couponFrequency,pricing';

/** A CSV file of a market of bills, bonds, discount sukuk and a few odd securities. */
export function writeCurveMarket(): string {
  const rows = DATES.flatMap((date) => [
    ...listSecurities(date).map(({ symbol, type, security }) =>
      formatRow(date, symbol, type, security),
    ),
    // Of these, a curve cannot use any: no terms, no price, far from all others, matured.
    `${date},NOTERMS,ZZ1,bond,2030-01-15,3.55,0,0,99,0,0,0,12.1,2.9,,,`,
    `${date},NOPRICE,ZZ2,bond,2030-01-15,3.55,0,0,0,0,0,0,0,0,12,2,coupon`,
    formatRow(date, 'OUTLIER', 'bond', toBond('2031-03-20', 11), -6),
    `${date},MATURED,ZZ3,tbill,${date},0,0,0,100,0,0,0,0,0,,,discount`,
  ]);
  return [HEADER, ...rows].join('\n');
}

function toBond(maturity: string, couponRate: number): CouponBond {
  return { maturity: parseDay(maturity), couponRate, frequency: 2 };
}

function listSecurities(date: string) {
  const day = parseDay(date);
  const bills = [30, 60, 91, 120, 182, 240, 300, 364].map((days) => ({
    symbol: `BILL${days}`,
    type: 'tbill',
    security: { maturity: parseDay(MARKET_DATE) + days } as DiscountBill,
  }));
  const bonds = Array.from({ length: 14 }, (_, index) => ({
    symbol: `BOND${index}`,
    type: 'bond',
    security: {
      ...toBond('2027-01-15', 9 + (index % 6)),
      maturity: parseDay('2027-09-15') + 270 * index,
    },
  }));
  const sukuk = {
    symbol: 'SUKUK',
    type: 'bond',
    security: { maturity: day + 500 } as DiscountBill,
  };
  return [...bills, ...bonds, sukuk];
}

function formatRow(
  date: string,
  symbol: string,
  type: string,
  security: CouponBond | DiscountBill,
  priceShift = 0,
): string {
  const settlement = getSettlementDay(parseDay(date));
  const isBond = 'couponRate' in security;
  const { years, amounts } = getCashFlows(security, settlement);
  const dirty = years.reduce(
    (sum, time, index) => sum + (amounts[index] ?? 0) * getDiscountFactor(MARKET_CURVE, time),
    0,
  );
  const clean = dirty - (isBond ? accruedInterest(security, settlement) : 0) + priceShift;
  const price = Math.round(clean * 1e4) / 1e4;
  const { ytm, modifiedDuration } = computeBondFigures(security, settlement, price);
  const maturityYears = (security.maturity - settlement) / 365;
  const terms = isBond ? `${security.couponRate},${security.frequency},coupon` : ',,discount';
  const figures = [ytm, modifiedDuration].map((figure) => figure.toFixed(6)).join();
  return `${date},${symbol},ZZ-${symbol},${type},${formatDay(security.maturity)},${maturityYears.toFixed(6)},${price},${price},${price},0,0,0,${figures},${terms}`;
}
