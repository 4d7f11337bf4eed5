import { couponSchedule, settlementDay, yearsToMaturity } from '../../bonds/index.ts';
import { dayText } from '../../calendar.ts';
import type { RecordIn } from '../../catalogue/dataset.ts';
import type { quotes } from '../../catalogue/quotes.ts';
import { type Random, randomFrom, wandering } from '../random.ts';
import { rounded } from '../rounding.ts';
import type { Curve } from './curve.ts';
import { FIRST_DAY, LAST_DAY, weekdayFrom } from './days.ts';
import { pricingOf } from './pricing.ts';
import type { Security } from './securities.ts';

export type Quote = RecordIn<typeof quotes>;

/** The quotes of every security on every weekday of its life, by date, then by symbol. */
export function sampleQuotes(securities: readonly Security[], curve: Curve): Quote[] {
  const all = securities.flatMap((security) => lifeOf(security, curve));
  return all.sort((a, b) => order(a.date, b.date) || order(a.symbol, b.symbol));
}

function lifeOf(security: Security, curve: Curve): Quote[] {
  const random = randomFrom(security.symbol);
  const habits = HABITS[security.type];
  const taste = 0.4 * habits.halfSpread * random.normal();
  const mood = wandering(random, habits.halfSpread / 12, 0.1);
  const life: Quote[] = [];
  let day = Math.max(FIRST_DAY, security.issued);
  while (day <= LAST_DAY && settlementDay(day) < security.maturity) {
    const middle = marketYield(security, day, curve) + taste + mood();
    life.push(quoteOn(day, security, middle, random));
    day = weekdayFrom(day + 1);
  }
  return life;
}

function quoteOn(day: number, security: Security, middle: number, random: Random): Quote {
  const { symbol, isin, type, maturity, issued } = security;
  const { halfSpread, spreadPerYear, lot, quiet } = HABITS[type];
  const settlement = settlementDay(day);
  const maturityYears = yearsToMaturity(settlement, maturity);
  const { priceAt, tradeAt } = pricingOf(security, settlement);
  const half = (halfSpread + spreadPerYear * maturityYears) * (0.7 + 0.6 * random.uniform());
  const last = middle + half * (1.6 * random.uniform() - 0.8);
  const trade = tradeAt(priceAt(last));
  const isNew = day - issued < 30;
  const isTraded = random.uniform() >= (isNew ? quiet / 3 : quiet);
  return {
    date: dayText(day),
    symbol,
    isin,
    type,
    maturityDate: dayText(maturity),
    maturityYears: rounded(maturityYears, 6),
    bidPrice: priceAt(middle + half),
    askPrice: priceAt(middle - half),
    lastPrice: trade.lastPrice,
    bidVolume: lot * mostlyFew(random, 40),
    askVolume: lot * mostlyFew(random, 40),
    volume: isTraded ? lot * mostlyFew(random, isNew ? 900 : 300) : 0,
    ytm: trade.ytm,
    duration: trade.duration,
  };
}

/** How each type is dealt in: yields in percent, lots in face value, the part of idle days. */
const HABITS = {
  tbill: { halfSpread: 0.04, spreadPerYear: 0, lot: 5_000_000, quiet: 0.12 },
  bond: { halfSpread: 0.05, spreadPerYear: 0.003, lot: 500_000, quiet: 0.25 },
  corporate: { halfSpread: 0.2, spreadPerYear: 0.01, lot: 5_000, quiet: 0.6 },
} satisfies Record<Security['type'], unknown>;

/** A whole number from 1 to `most`, half of the time in the lowest quarter. */
function mostlyFew({ uniform }: Random, most: number): number {
  const draw = uniform();
  return 1 + Math.floor(draw * draw * most);
}

function marketYield(security: Security, day: number, curve: Curve): number {
  const { pays, maturity, margin } = security;
  const settlement = settlementDay(day);
  if (pays === 'discount' || pays.rate === 'fixed') {
    return curve(day, yearsToMaturity(settlement, maturity)) + margin;
  }
  // A floating rate parts from the market only until it is set again. Spread over the whole life,
  // as pricing at the current rate does, that leaves the price close to 100.
  const { next } = couponSchedule({ maturity, frequency: pays.frequency }, settlement);
  const current = security.couponRate(settlement);
  const fresh = curve(day, 1 / pays.frequency) + margin;
  return current + ((fresh - current) * (next - settlement)) / (maturity - settlement);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
