import { describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/quotes.ts';
import { dayAgainst, isWanted, wantedIn } from '../../../src/explorer/market/choices.ts';
import { weekdayNumber, weekdayText } from '../../../src/explorer/market/weekdays.ts';
import type { Quote } from '../../../src/explorer/quotes/quote.ts';

const quote: Quote = quotes.example;

describe('what is wanted of the market', () => {
  test('is read from the address, and as usual where that says nothing', () => {
    expect(wantedIn({})).toEqual({
      date: undefined,
      against: 'month',
      type: 'all',
      find: '',
      years: '',
      sort: 'years',
    });
    expect(wantedIn({ date: '2026-06-30', against: 'none', type: 'bond' })).toMatchObject({
      date: '2026-06-30',
      against: 'none',
      type: 'bond',
    });
    expect(wantedIn({ date: 'yesterday' }).date).toBeUndefined();
  });

  test.each([
    ['day', '2026-03-30'],
    ['week', '2026-03-24'],
    ['month', '2026-02-28'],
    ['year', '2025-03-31'],
    ['2024-05-06', '2024-05-06'],
    ['none', undefined],
  ])('compares 31 March 2026 by %s with %s', (against, day) => {
    expect(dayAgainst('2026-03-31', against)).toBe(day as string);
  });

  test('keeps a quote by its type, its maturity, and any part of its symbol or ISIN', () => {
    const all = wantedIn({});
    expect(isWanted(quote, all)).toBe(true);
    expect(isWanted(quote, { ...all, type: 'tbill' })).toBe(true);
    expect(isWanted(quote, { ...all, type: 'bond' })).toBe(false);
    expect(isWanted(quote, { ...all, years: '0-1' })).toBe(true);
    expect(isWanted(quote, { ...all, years: '1-3' })).toBe(false);
    expect(isWanted({ ...quote, maturityYears: 3 }, { ...all, years: '1-3' })).toBe(false);
    expect(isWanted({ ...quote, maturityYears: 30 }, { ...all, years: '10-' })).toBe(true);
    expect(isWanted(quote, { ...all, find: ' 12tb03 ' })).toBe(true);
    expect(isWanted(quote, { ...all, find: quote.isin.slice(3, 8).toLowerCase() })).toBe(true);
    expect(isWanted(quote, { ...all, find: 'PIB' })).toBe(false);
  });
});

describe('weekdays', () => {
  test('are numbered without a gap over weekends', () => {
    expect(weekdayNumber('2026-06-29') - weekdayNumber('2026-06-26')).toBe(1);
    expect(weekdayNumber('2026-06-28')).toBe(weekdayNumber('2026-06-26'));
    expect(weekdayNumber('1969-12-29')).toBe(0);
  });

  test('are found again by their number', () => {
    for (const day of ['2026-06-29', '2026-06-26', '1969-12-26', '2000-02-29', '2024-12-31']) {
      expect(weekdayText(weekdayNumber(day))).toBe(day);
    }
    expect(weekdayText(weekdayNumber('2026-06-27'))).toBe('2026-06-26');
  });
});
