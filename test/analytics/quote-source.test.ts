import { describe, expect, test } from 'bun:test';
import { findMarketSettlement } from '../../src/analytics/quote-source.ts';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { formatDay } from '../../src/shared/calendar.ts';

/** A Wednesday. */
const DATE = '2026-06-17';

/** Quotes of a day whose securities settle after so many days, by their terms. */
function settleAfter(...days: readonly number[]): string {
  const quoted = days.map(
    (_, index): Quote => ({
      ...(quotes.example as Quote),
      date: DATE,
      symbol: `S${index}`,
      maturityDate: '2030-01-15',
      maturityYears: 3.58,
    }),
  );
  const findTerms = (symbol: string) => ({ settlementDays: days[Number(symbol.slice(1))] ?? 0 });
  return formatDay(findMarketSettlement(quoted, findTerms as never, DATE));
}

describe('a market settles', () => {
  test('on the day on which most of its quotes do', () => {
    expect(settleAfter(2, 0, 2)).toBe('2026-06-19');
    expect(settleAfter(0, 2, 0)).toBe(DATE);
  });

  test('on the earliest of the days that as many quotes have', () => {
    expect(settleAfter(2, 0)).toBe(DATE);
    expect(settleAfter(0, 2)).toBe(DATE);
  });
});
