import { describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import {
  createQuoteFilter,
  describeFilters,
  getComparisonDay,
  parseMarketFilters,
  toggleComparison,
} from '../../../src/explorer/market/market-filters.ts';

describe('the market filters', () => {
  test('are parsed from the URL parameters, with defaults', () => {
    const defaults = parseMarketFilters({});
    expect(defaults).toEqual({
      date: undefined,
      comparisons: ['month'],
      type: 'all',
      search: '',
      maturityRange: '',
      sort: 'maturityYears',
      rate: 'yield',
      historyKey: '2s10s',
      historyRange: 'year',
    });
    const params = { date: '2026-06-30', against: 'none', type: 'bond' };
    expect(parseMarketFilters(params)).toEqual({
      ...defaults,
      date: '2026-06-30',
      comparisons: [],
      type: 'bond',
    });
    expect(parseMarketFilters({ date: 'yesterday' }).date).toBeUndefined();
  });

  test.each([
    ['day', '2026-03-30'],
    ['week', '2026-03-24'],
    ['month', '2026-02-28'],
    ['year', '2025-03-31'],
    ['2024-05-06', '2024-05-06'],
  ])('with the comparison %s compare 31 March 2026 with %s', (comparison, day) => {
    expect(getComparisonDay('2026-03-31', comparison)).toBe(day);
  });

  test.each([
    ['month,year', ['month', 'year']],
    ['week,2024-05-06,year', ['week', '2024-05-06']],
    ['none', []],
    ['constructor', []],
  ])('take from against=%s the comparisons %j', (against, comparisons) => {
    expect(parseMarketFilters({ against }).comparisons).toEqual(comparisons);
  });

  test.each([
    ['years', 'maturityYears'],
    ['points', 'ytmChange'],
    ['-points', '-ytmChange'],
    ['price', 'lastPriceChange'],
    ['-ytm', '-ytm'],
    ['constructor', 'constructor'],
  ])('sort by sort=%s as by the column %s', (sort, current) => {
    expect(parseMarketFilters({ sort }).sort).toBe(current);
  });

  test('add a comparison beside the first one, and give one up', () => {
    expect(toggleComparison(['month'], 'year')).toBe('month,year');
    expect(toggleComparison(['month', 'year'], 'week')).toBe('month,week');
    expect(toggleComparison(['month', 'year'], 'month')).toBe('year');
    expect(toggleComparison(['month'], 'month')).toBe('none');
    expect(toggleComparison([], 'month')).toBe('');
  });

  test.each([
    [{}, undefined],
    [{ type: 'tbill', years: '3-5', find: ' pib ' }, 'Only T-bills, 3 to 5 years, “pib”.'],
  ])('say what is shown alone: %j', (params, text) => {
    expect(describeFilters(parseMarketFilters(params))).toBe(text as string);
  });

  test.each([
    [true, {}, {}],
    [true, { type: 'tbill' }, {}],
    [false, { type: 'bond' }, {}],
    [true, { maturityRange: '0-1' }, {}],
    [false, { maturityRange: '1-3' }, {}],
    [false, { maturityRange: '1-3' }, { maturityYears: 3 }],
    [true, { maturityRange: '10-' }, { maturityYears: 30 }],
    [true, { search: ' 12tb03 ' }, {}],
    [true, { search: quotes.example.isin.slice(3, 8).toLowerCase() }, {}],
    [false, { search: 'PIB' }, {}],
  ])('match a T-bill: %p with %j and %j', (isMatch, filters, quote) => {
    const allFilters = { ...parseMarketFilters({}), ...filters };
    expect(createQuoteFilter(allFilters)({ ...quotes.example, ...quote })).toBe(isMatch);
  });
});
