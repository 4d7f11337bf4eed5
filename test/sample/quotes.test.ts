import { describe, expect, test } from 'bun:test';
import { generateSecurities } from '../../scripts/sample/market/generate-securities.ts';
import { createSampleYieldCurve } from '../../scripts/sample/market/yield-curve.ts';
import {
  billModifiedDuration,
  billYield,
  getSettlementDay,
  getYearsToMaturity,
  isValidIsin,
  modifiedDuration,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { isWeekend, parseDay } from '../../src/shared/calendar.ts';
import { getCurrentRecords, publications } from './current-records.ts';

const published = publications
  .filter(({ dataset }) => dataset === quotes)
  .flatMap(({ records }) => records as unknown as Quote[]);
const current = getCurrentRecords(quotes) as unknown as Quote[];
const securities = new Map(
  generateSecurities(createSampleYieldCurve()).map((security) => [security.symbol, security]),
);

describe('sample quotes', () => {
  test('have the yield and duration of their last price, before and after corrections', () => {
    const corrected = published.slice(current.length);
    const some = [...published.filter((_, index) => index % 8 === 0), ...corrected];
    const off = some.filter((quote) => {
      const { ytm, duration } = recompute(quote);
      return !(Math.abs(quote.ytm - ytm) <= 1e-6 && Math.abs(quote.duration - duration) <= 1e-6);
    });
    expect(off).toEqual([]);
  });

  test('have years to maturity counted from the settlement day', () => {
    const off = current.filter(({ date, maturityDate, maturityYears }) => {
      const years = getYearsToMaturity(getSettlementDay(parseDay(date)), parseDay(maturityDate));
      return !(Math.abs(years - maturityYears) <= 5e-7);
    });
    expect(off).toEqual([]);
  });

  test('have a last price between bid and ask after the corrections', () => {
    const outside = ({ bidPrice, lastPrice, askPrice }: Quote) =>
      !(0 < bidPrice && bidPrice <= lastPrice && lastPrice <= askPrice);
    expect(current.filter(outside)).toEqual([]);
    expect(published.filter(outside)).toHaveLength(published.length - current.length);
    expect(published.length).toBeGreaterThan(current.length);
  });

  test('are on weekdays and settle before maturity, which is a weekday too', () => {
    const invalid = current.filter(({ date, maturityDate }) => {
      const [day, maturity] = [parseDay(date), parseDay(maturityDate)];
      return isWeekend(day) || isWeekend(maturity) || getSettlementDay(day) >= maturity;
    });
    expect(invalid).toEqual([]);
  });

  test('cover three years without a gap', () => {
    const dates = [...new Set(current.map(({ date }) => date))].sort();
    const weekdays = [];
    for (let day = parseDay('2023-07-03'); day <= parseDay('2026-06-30'); day += 1) {
      if (!isWeekend(day)) weekdays.push(day);
    }
    expect(dates.map(parseDay)).toEqual(weekdays);
  });

  test('have a valid ISIN under ZZ, one for each symbol', () => {
    const pairs = new Set(current.map(({ symbol, isin }) => `${symbol} ${isin}`));
    const isins = new Set(current.map(({ isin }) => isin));
    const symbols = new Set(current.map(({ symbol }) => symbol));
    expect([pairs.size, isins.size]).toEqual([symbols.size, symbols.size]);
    expect([...isins].filter((isin) => !isValidIsin(isin) || !isin.startsWith('ZZ'))).toEqual([]);
  });
});

function recompute({ symbol, date, lastPrice }: Quote): Pick<Quote, 'ytm' | 'duration'> {
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
