import { describe, expect, test } from 'bun:test';
import type { Quote } from '../../../src/catalogue/datasets/quotes.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import {
  getComparisonDay,
  matchesFilters,
  parseMarketFilters,
} from '../../../src/explorer/market/market-filters.ts';
import { fromWeekdayIndex, toWeekdayIndex } from '../../../src/explorer/market/weekday-index.ts';

const quote: Quote = quotes.example;

describe('what is wanted of the market', () => {
  test('is read from the address, and as usual where that says nothing', () => {
    expect(parseMarketFilters({})).toEqual({
      date: undefined,
      comparison: 'month',
      type: 'all',
      search: '',
      maturityRange: '',
      sort: 'years',
    });
    expect(parseMarketFilters({ date: '2026-06-30', against: 'none', type: 'bond' })).toMatchObject(
      {
        date: '2026-06-30',
        comparison: 'none',
        type: 'bond',
      },
    );
    expect(parseMarketFilters({ date: 'yesterday' }).date).toBeUndefined();
  });

  test.each([
    ['day', '2026-03-30'],
    ['week', '2026-03-24'],
    ['month', '2026-02-28'],
    ['year', '2025-03-31'],
    ['2024-05-06', '2024-05-06'],
    ['none', undefined],
  ])('compares 31 March 2026 by %s with %s', (against, day) => {
    expect(getComparisonDay('2026-03-31', against)).toBe(day as string);
  });

  test('keeps a quote by its type, its maturity, and any part of its symbol or ISIN', () => {
    const all = parseMarketFilters({});
    expect(matchesFilters(quote, all)).toBe(true);
    expect(matchesFilters(quote, { ...all, type: 'tbill' })).toBe(true);
    expect(matchesFilters(quote, { ...all, type: 'bond' })).toBe(false);
    expect(matchesFilters(quote, { ...all, maturityRange: '0-1' })).toBe(true);
    expect(matchesFilters(quote, { ...all, maturityRange: '1-3' })).toBe(false);
    expect(matchesFilters({ ...quote, maturityYears: 3 }, { ...all, maturityRange: '1-3' })).toBe(
      false,
    );
    expect(matchesFilters({ ...quote, maturityYears: 30 }, { ...all, maturityRange: '10-' })).toBe(
      true,
    );
    expect(matchesFilters(quote, { ...all, search: ' 12tb03 ' })).toBe(true);
    expect(matchesFilters(quote, { ...all, search: quote.isin.slice(3, 8).toLowerCase() })).toBe(
      true,
    );
    expect(matchesFilters(quote, { ...all, search: 'PIB' })).toBe(false);
  });
});

describe('weekdays', () => {
  test('are numbered without a gap over weekends', () => {
    expect(toWeekdayIndex('2026-06-29') - toWeekdayIndex('2026-06-26')).toBe(1);
    expect(toWeekdayIndex('2026-06-28')).toBe(toWeekdayIndex('2026-06-26'));
    expect(toWeekdayIndex('1969-12-29')).toBe(0);
  });

  test('are found again by their number', () => {
    for (const day of ['2026-06-29', '2026-06-26', '1969-12-26', '2000-02-29', '2024-12-31']) {
      expect(fromWeekdayIndex(toWeekdayIndex(day))).toBe(day);
    }
    expect(fromWeekdayIndex(toWeekdayIndex('2026-06-27'))).toBe('2026-06-26');
  });
});
