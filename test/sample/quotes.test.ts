import { describe, expect, test } from 'bun:test';
import {
  billModifiedDuration,
  billYield,
  getSettlementDay,
  getYearsToMaturity,
  isValidIsin,
  modifiedDuration,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { isWeekend, parseDay } from '../../src/calendar.ts';
import type { Quote } from '../../src/catalogue/datasets/quotes.ts';
import { INSTRUMENT_TYPES, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { generateSecurities } from '../../src/sample/market/generate-securities.ts';
import { createSampleYieldCurve } from '../../src/sample/market/yield-curve.ts';
import { publications, standing } from './current-records.ts';

const LAST_DAY = '2026-06-30';

const published = publications
  .filter(({ dataset }) => dataset === quotes)
  .flatMap(({ records }) => records as unknown as Quote[]);
const current = standing(quotes) as unknown as Quote[];
const lastDay = current.filter(({ date }) => date === LAST_DAY);
const securities = new Map(
  generateSecurities(createSampleYieldCurve()).map((each) => [each.symbol, each]),
);

describe('the sample’s quotes', () => {
  test('have a yield and a duration that follow from the last price, corrections or not', () => {
    const off = published.filter((quote) => {
      const { ytm, duration } = recomputed(quote);
      return !(Math.abs(quote.ytm - ytm) <= 1e-6 && Math.abs(quote.duration - duration) <= 1e-6);
    });
    expect(off).toEqual([]);
  });

  test('count the years to maturity from the settlement day', () => {
    const off = current.filter(({ date, maturityDate, maturityYears }) => {
      const years = getYearsToMaturity(getSettlementDay(parseDay(date)), parseDay(maturityDate));
      return !(Math.abs(years - maturityYears) <= 5e-7);
    });
    expect(off).toEqual([]);
  });

  test('have the last price between bid and ask once corrected', () => {
    const outside = ({ bidPrice, lastPrice, askPrice }: Quote) =>
      !(0 < bidPrice && bidPrice <= lastPrice && lastPrice <= askPrice);
    expect(current.filter(outside)).toEqual([]);
    expect(published.filter(outside)).toHaveLength(published.length - current.length);
    expect(published.length).toBeGreaterThan(current.length);
  });

  test('trade in multiples of 5,000, and not every day', () => {
    const odd = current.filter(({ bidVolume, askVolume, volume }) =>
      [bidVolume, askVolume, volume].some((size) => size < 0 || size % 5_000 !== 0),
    );
    expect(odd).toEqual([]);
    for (const type of INSTRUMENT_TYPES) {
      const idle = current.filter((quote) => quote.type === type && quote.volume === 0);
      expect(idle.length).toBeGreaterThan(0);
    }
  });

  test('fall on weekdays and settle before maturity, which is a weekday too', () => {
    const wrong = current.filter(({ date, maturityDate }) => {
      const [day, maturity] = [parseDay(date), parseDay(maturityDate)];
      return isWeekend(day) || isWeekend(maturity) || getSettlementDay(day) >= maturity;
    });
    expect(wrong).toEqual([]);
  });

  test('run over three years without a gap', () => {
    const dates = [...new Set(current.map(({ date }) => date))].sort();
    const weekdays = [];
    for (let day = parseDay('2023-07-03'); day <= parseDay(LAST_DAY); day += 1) {
      if (!isWeekend(day)) weekdays.push(day);
    }
    expect(dates.map(parseDay)).toEqual(weekdays);
  });

  test('show between 50 and 99 securities on every day, and at least 80 on the last', () => {
    const live = new Map<string, number>();
    for (const { date } of current) live.set(date, (live.get(date) ?? 0) + 1);
    expect(Math.min(...live.values())).toBeGreaterThanOrEqual(50);
    expect(Math.max(...live.values())).toBeLessThanOrEqual(99);
    expect(lastDay.length).toBeGreaterThanOrEqual(80);
  });

  test('are of every type on the last day', () => {
    expect([...new Set(lastDay.map(({ type }) => type))].sort()).toEqual(
      [...INSTRUMENT_TYPES].sort(),
    );
  });

  test('keep securities of every type that have matured', () => {
    const matured = current.filter(({ maturityDate }) => maturityDate <= LAST_DAY);
    expect(new Set(matured.map(({ type }) => type)).size).toBe(INSTRUMENT_TYPES.length);
  });

  test('have a valid ISIN under ZZ, one for each symbol', () => {
    const pairs = new Set(current.map(({ symbol, isin }) => `${symbol} ${isin}`));
    const isins = new Set(current.map(({ isin }) => isin));
    const symbols = new Set(current.map(({ symbol }) => symbol));
    expect([pairs.size, isins.size]).toEqual([symbols.size, symbols.size]);
    expect([...isins].filter((isin) => !isValidIsin(isin) || !isin.startsWith('ZZ'))).toEqual([]);
  });
});

function recomputed({ symbol, date, lastPrice }: Quote): Pick<Quote, 'ytm' | 'duration'> {
  const security = securities.get(symbol);
  if (!security) throw new Error(`no security ${symbol}`);
  const { coupon, maturity, couponRate } = security;
  const settlement = getSettlementDay(parseDay(date));
  if (coupon === 'discount') {
    const ytm = billYield({ maturity }, settlement, lastPrice);
    return { ytm, duration: billModifiedDuration({ maturity }, settlement, ytm) };
  }
  const bond = { maturity, frequency: coupon.frequency, couponRate: couponRate(settlement) };
  const ytm = yieldToMaturity(bond, settlement, lastPrice);
  return { ytm, duration: modifiedDuration(bond, settlement, ytm) };
}
