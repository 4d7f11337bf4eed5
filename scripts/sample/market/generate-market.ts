import {
  getCouponSchedule,
  getSettlementDay,
  getYearsToMaturity,
} from '../../../src/bonds/index.ts';
import type { Quote } from '../../../src/catalogue/datasets/quotes.ts';
import type { SecurityRecord } from '../../../src/catalogue/datasets/securities.ts';
import { formatDay, MONTH_ABBREVIATIONS, parseDay } from '../../../src/shared/calendar.ts';
import { createRandom, createRandomWalk, type Random } from '../random.ts';
import { roundTo } from '../rounding.ts';
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

/** Whether a quote has a wrong price: the ten-year bonds of one day do. */
function isErroneous({ date, symbol }: Quote): boolean {
  return date === '2026-06-17' && symbol.startsWith('Z10');
}

/** The quotes of every security on every weekday until maturity, by date, then by symbol. */
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

/** A whole number from 1 to `max`; half of them are in the lowest quarter. */
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

/** The reference data of a security as known on a day; a floater has that day's rate. */
function describeSecurity(security: SampleSecurity, day: number): SecurityRecord {
  const { symbol, isin, issued, maturity, coupon, couponRate } = security;
  const { name, issuer } = nameSecurity(symbol, maturity);
  const issueDate = formatDay(issued);
  const description = { symbol, isin, name, issuer, issueDate, ...NO_CONVENTIONS };
  if (coupon === 'discount') {
    const terms = { couponRate: null, couponFrequency: null, pricing: 'discount' } as const;
    return { ...description, ...terms, floating: false };
  }
  const lastSettlement = maturity - 1;
  return {
    ...description,
    couponRate: couponRate(Math.min(getSettlementDay(day), lastSettlement)),
    couponFrequency: coupon.frequency,
    pricing: 'coupon',
    floating: coupon.rate === 'floating',
    dayCount: coupon.rate === 'floating' || issuer === GOVERNMENT ? null : 'ACT/ACT',
  };
}

const NO_CONVENTIONS = {
  dayCount: null,
  exDividendDays: null,
  settlementDays: null,
  calendar: null,
  firstCouponDate: null,
  lastCouponDate: null,
  endOfMonth: null,
  lastPeriodYield: null,
  firstPeriodYield: null,
  accrual: null,
};

const GOVERNMENT = 'Government of Zedland';

const GOVERNMENT_KINDS: Readonly<Record<string, string>> = {
  TB: 'month Treasury bill',
  PIB: 'year bond',
  PFL: 'year floating-rate bond',
  GIS: 'year discount sukuk',
  FRR: 'year fixed-rental sukuk',
  VRR: 'year variable-rental sukuk',
};

const COMPANIES: Readonly<Record<string, string>> = {
  BRKLEA: 'Brooklea Leasing',
  CEDAR: 'Cedar Bank',
  DUNEPWR: 'Dune Power',
  HARBOR: 'Harbor Terminals',
  LARKMR: 'Larkmere Foods',
  OXMERE: 'Oxmere Cement',
  SALTPN: 'Saltpan Chemicals',
  TAMRDG: 'Tamridge Telecom',
};

const PAPERS: Readonly<Record<string, string>> = {
  TFC: 'term finance certificate',
  SC: 'sukuk certificate',
};

/** From its symbol: `Z05PIB150930` is a bond of five years, `CEDARTFC2` the second of a bank. */
function nameSecurity(symbol: string, maturity: number): Pick<SecurityRecord, 'name' | 'issuer'> {
  const [, tenor, kind = ''] = /^ZZ?(\d\d)([A-Z]+)\d{6}$/.exec(symbol) ?? [];
  const due = formatDueDay(maturity);
  if (tenor !== undefined) {
    const name = `${Number(tenor)}-${GOVERNMENT_KINDS[kind]}, ${due}`;
    return { name, issuer: GOVERNMENT };
  }
  const [, company = '', paper = '', number] = /^([A-Z]+?)(TFC|SC)(\d)$/.exec(symbol) ?? [];
  const issuer = COMPANIES[company] ?? company;
  return { name: `${issuer} ${PAPERS[paper]} ${number}, ${due}`, issuer };
}

/** `3 Dec 2026`, whatever the language of the machine. */
function formatDueDay(day: number): string {
  const [year, month, date] = formatDay(day).split('-');
  return `${Number(date)} ${MONTH_ABBREVIATIONS[Number(month) - 1]} ${year}`;
}
