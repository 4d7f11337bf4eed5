import { getCouponSchedule, getSettlementDay, getYearsToMaturity } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { createRandom, createRandomWalk, type Random } from '../random.ts';
import { roundTo } from '../rounding.ts';
import { describeSecurity } from './describe-security.ts';
import {
  createPricer,
  generateSecurities,
  type SampleSecurity,
  toWeekday,
} from './generate-securities.ts';
import {
  createSampleYieldCurve,
  FIRST_QUOTE_DAY,
  LAST_QUOTE_DAY,
  type YieldCurve,
} from './yield-curve.ts';

/**
 * Three years of quotes, and reference data; some last prices in June are wrong at first and
 * corrected later.
 */
export function generateMarket() {
  const curve = createSampleYieldCurve();
  const securities = generateSecurities(curve);
  const quotes = generateQuotes(securities, curve);
  const june = quotes.filter(({ date }) => date > MAY_31);
  const bySymbol = new Map(securities.map((security) => [security.symbol, security]));
  const withErrors = june.map((quote): Quote => {
    const security = bySymbol.get(quote.symbol);
    if (!security || !isErroneous(quote)) return quote;
    const { tradeAt } = createPricer(security, getSettlementDay(parseDay(quote.date)));
    return { ...quote, ...tradeAt(roundTo(quote.lastPrice + 1, 4)) };
  });
  const describeBy = (day: string) =>
    securities
      .filter(({ issued }) => issued <= parseDay(day))
      .map((security) => describeSecurity(security, parseDay(day)));
  return {
    securitiesToMay: describeBy(MAY_31),
    securitiesToJune: describeBy(JUNE_30),
    quotesToMay: quotes.filter(({ date }) => date <= MAY_31),
    juneQuotes: withErrors,
    correctedQuotes: june.filter(isErroneous),
  };
}

const MAY_31 = '2026-05-31';
const JUNE_30 = '2026-06-30';

/** The ten-year bonds of one day. */
function isErroneous({ date, symbol }: Quote): boolean {
  return date === '2026-06-17' && symbol.startsWith('Z10');
}

/** The quotes of every security on every weekday to maturity, by date, then by symbol. */
function generateQuotes(securities: readonly SampleSecurity[], curve: YieldCurve): Quote[] {
  const all = securities.flatMap((security) => generateQuoteHistory(security, curve));
  return all.sort((a, b) => compareText(a.date, b.date) || compareText(a.symbol, b.symbol));
}

function generateQuoteHistory(security: SampleSecurity, curve: YieldCurve): Quote[] {
  const random = createRandom(security.symbol);
  const { halfSpread } = TRADING_PROFILES[security.type];
  const fixedDeviation = 0.4 * halfSpread * random.normal();
  const nextDeviation = createRandomWalk(random, halfSpread / 12, 0.1);
  const history: Quote[] = [];
  let day = Math.max(FIRST_QUOTE_DAY, security.issued);
  while (day <= LAST_QUOTE_DAY && getSettlementDay(day) < security.maturity) {
    const fairYield = computeMarketYield(security, day, curve);
    const midYield = fairYield + fixedDeviation + nextDeviation();
    history.push(generateQuote(day, security, midYield, random));
    day = toWeekday(day + 1);
  }
  return history;
}

function generateQuote(
  day: number,
  security: SampleSecurity,
  midYield: number,
  random: Random,
): Quote {
  const { symbol, isin, type, maturity, issued } = security;
  const { halfSpread, spreadPerYear, lot, idleShare } = TRADING_PROFILES[type];
  const settlement = getSettlementDay(day);
  const maturityYears = getYearsToMaturity(settlement, maturity);
  const { priceAt, tradeAt } = createPricer(security, settlement);
  const half = (halfSpread + spreadPerYear * maturityYears) * (0.7 + 0.6 * random.uniform());
  const lastYield = midYield + half * (1.6 * random.uniform() - 0.8);
  const trade = tradeAt(priceAt(lastYield));
  const isNew = day - issued < 30;
  const isTraded = random.uniform() >= (isNew ? idleShare / 3 : idleShare);
  return {
    date: formatDay(day),
    symbol,
    isin,
    type,
    maturityDate: formatDay(maturity),
    maturityYears: roundTo(maturityYears, 6),
    bidPrice: priceAt(midYield + half),
    askPrice: priceAt(midYield - half),
    lastPrice: trade.lastPrice,
    bidVolume: lot * drawSkewedCount(random, 40),
    askVolume: lot * drawSkewedCount(random, 40),
    volume: isTraded ? lot * drawSkewedCount(random, isNew ? 900 : 300) : 0,
    ytm: trade.ytm,
    duration: trade.duration,
  };
}

/** Spreads in percent of yield, lots in face value, and the share of days without trades. */
const TRADING_PROFILES = {
  tbill: { halfSpread: 0.04, spreadPerYear: 0, lot: 5_000_000, idleShare: 0.12 },
  bond: { halfSpread: 0.05, spreadPerYear: 0.003, lot: 500_000, idleShare: 0.25 },
  corporate: { halfSpread: 0.2, spreadPerYear: 0.01, lot: 5_000, idleShare: 0.6 },
} satisfies Record<SampleSecurity['type'], unknown>;

/** A whole number from 1 to `max`, half of the time in the lowest quarter. */
function drawSkewedCount({ uniform }: Random, max: number): number {
  const draw = uniform();
  return 1 + Math.floor(draw * draw * max);
}

function computeMarketYield(security: SampleSecurity, day: number, curve: YieldCurve): number {
  const { coupon, maturity, spread } = security;
  const settlement = getSettlementDay(day);
  if (coupon === 'discount' || coupon.rate === 'fixed')
    return curve(day, getYearsToMaturity(settlement, maturity)) + spread;
  // A floating rate differs from the market only until its next reset. Pricing at the current rate
  // spreads that difference over the time to maturity, so the price stays close to 100.
  const { next } = getCouponSchedule({ maturity, frequency: coupon.frequency }, settlement);
  const currentRate = security.couponRate(settlement);
  const resetRate = curve(day, 1 / coupon.frequency) + spread;
  return currentRate + ((resetRate - currentRate) * (next - settlement)) / (maturity - settlement);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
