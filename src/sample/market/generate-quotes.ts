import { getCouponSchedule, getSettlementDay, getYearsToMaturity } from '../../bonds/index.ts';
import { formatDay } from '../../calendar.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';
import { createRandom, createRandomWalk, type Random } from '../random.ts';
import { roundTo } from '../rounding.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY, toWeekday } from './days.ts';
import type { SampleSecurity } from './generate-securities.ts';
import { createPricer } from './pricing.ts';
import type { YieldCurve } from './yield-curve.ts';

export type Quote = DatasetRecord<typeof quotes>;

/** The quotes of every security on every weekday of its life, by date, then by symbol. */
export function generateQuotes(securities: readonly SampleSecurity[], curve: YieldCurve): Quote[] {
  const all = securities.flatMap((security) => generateQuoteHistory(security, curve));
  return all.sort((a, b) => compareText(a.date, b.date) || compareText(a.symbol, b.symbol));
}

function generateQuoteHistory(security: SampleSecurity, curve: YieldCurve): Quote[] {
  const random = createRandom(security.symbol);
  const habits = TRADING_PROFILES[security.type];
  const taste = 0.4 * habits.halfSpread * random.normal();
  const mood = createRandomWalk(random, habits.halfSpread / 12, 0.1);
  const life: Quote[] = [];
  let day = Math.max(FIRST_QUOTE_DAY, security.issued);
  while (day <= LAST_QUOTE_DAY && getSettlementDay(day) < security.maturity) {
    const middle = computeMarketYield(security, day, curve) + taste + mood();
    life.push(generateQuote(day, security, middle, random));
    day = toWeekday(day + 1);
  }
  return life;
}

function generateQuote(
  day: number,
  security: SampleSecurity,
  middle: number,
  random: Random,
): Quote {
  const { symbol, isin, type, maturity, issued } = security;
  const { halfSpread, spreadPerYear, lot, quiet } = TRADING_PROFILES[type];
  const settlement = getSettlementDay(day);
  const maturityYears = getYearsToMaturity(settlement, maturity);
  const { priceAt, tradeAt } = createPricer(security, settlement);
  const half = (halfSpread + spreadPerYear * maturityYears) * (0.7 + 0.6 * random.uniform());
  const last = middle + half * (1.6 * random.uniform() - 0.8);
  const trade = tradeAt(priceAt(last));
  const isNew = day - issued < 30;
  const isTraded = random.uniform() >= (isNew ? quiet / 3 : quiet);
  return {
    date: formatDay(day),
    symbol,
    isin,
    type,
    maturityDate: formatDay(maturity),
    maturityYears: roundTo(maturityYears, 6),
    bidPrice: priceAt(middle + half),
    askPrice: priceAt(middle - half),
    lastPrice: trade.lastPrice,
    bidVolume: lot * drawSkewedCount(random, 40),
    askVolume: lot * drawSkewedCount(random, 40),
    volume: isTraded ? lot * drawSkewedCount(random, isNew ? 900 : 300) : 0,
    ytm: trade.ytm,
    duration: trade.duration,
  };
}

/** How each type is dealt in: yields in percent, lots in face value, the part of idle days. */
const TRADING_PROFILES = {
  tbill: { halfSpread: 0.04, spreadPerYear: 0, lot: 5_000_000, quiet: 0.12 },
  bond: { halfSpread: 0.05, spreadPerYear: 0.003, lot: 500_000, quiet: 0.25 },
  corporate: { halfSpread: 0.2, spreadPerYear: 0.01, lot: 5_000, quiet: 0.6 },
} satisfies Record<SampleSecurity['type'], unknown>;

/** A whole number from 1 to `most`, half of the time in the lowest quarter. */
function drawSkewedCount({ uniform }: Random, max: number): number {
  const draw = uniform();
  return 1 + Math.floor(draw * draw * max);
}

function computeMarketYield(security: SampleSecurity, day: number, curve: YieldCurve): number {
  const { coupon, maturity, spread } = security;
  const settlement = getSettlementDay(day);
  if (coupon === 'discount' || coupon.rate === 'fixed') {
    return curve(day, getYearsToMaturity(settlement, maturity)) + spread;
  }
  // A floating rate parts from the market only until it is set again. Spread over the whole life,
  // as pricing at the current rate does, that leaves the price close to 100.
  const { next } = getCouponSchedule({ maturity, frequency: coupon.frequency }, settlement);
  const current = security.couponRate(settlement);
  const fresh = curve(day, 1 / coupon.frequency) + spread;
  return current + ((fresh - current) * (next - settlement)) / (maturity - settlement);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
