import { describe, expect, test } from 'bun:test';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import { parseOption } from '../../../src/explorer/routing/parse-option.ts';
import type { QuotedSecurity } from '../../../src/explorer/security/quote-fields.ts';
import {
  compareSecurities,
  listComparedFigures,
  MAX_COMPARED,
  MEASURES,
  parseCompared,
  rankComparable,
} from '../../../src/explorer/security/security-comparison.ts';

const createSecurity = (symbol: string, rest: Partial<QuotedSecurity> = {}) =>
  ({
    symbol,
    isin: `ZZ${symbol}`,
    type: 'bond',
    maturityDate: '2030-01-01',
    lastDate: '2026-06-30',
    ...rest,
  }) as QuotedSecurity;

describe('the securities to compare with', () => {
  const securities = ['A', 'B', 'C'].map((symbol) => createSecurity(symbol));

  test('are those of the URL that exist, once each, without that of the page', () => {
    expect(parseCompared('b,A, zzc ,B,nothing', securities, 'A')).toEqual(['B', 'C']);
    expect(parseCompared(undefined, securities, 'A')).toEqual([]);
  });

  test('are at most as many as there are colours', () => {
    const many = Array.from({ length: 20 }, (_, index) => createSecurity(`S${index}`));
    const text = many.map(({ symbol }) => symbol).join();
    expect(parseCompared(text, many, 'A').length).toBe(MAX_COMPARED);
  });

  test('are suggested outstanding ones first, then of the same type, by nearest maturity', () => {
    const all = [
      createSecurity('matured', { maturityDate: '2026-01-01' }),
      createSecurity('bill', { type: 'tbill' }),
      createSecurity('far', { maturityDate: '2040-01-01' }),
      createSecurity('near', { maturityDate: '2029-12-01' }),
      createSecurity('own'),
    ];
    const entry = { coverage: { first: '2020-01-01', last: '2026-06-30', count: 1 } };
    const ranked = rankComparable(all, createSecurity('own'), entry);
    expect(ranked.map(({ symbol }) => symbol)).toEqual(['near', 'far', 'bill', 'matured']);
  });
});

test('an unknown measure is the yield', () => {
  const parse = (text: string | undefined) => parseOption(MEASURES, text);
  expect(['price', 'constructor', undefined].map(parse)).toEqual(['price', 'yield', 'yield']);
});

const entry = {
  fields: [{ name: 'lastPrice', kind: 'price', unit: 'per 100 of face value', meaning: 'Price' }],
} as unknown as DatasetEntry;

describe('a comparison', () => {
  const rows = [
    { period: '2026-06-08', 'quotes.lastPrice(symbol=A)': 0, 'quotes.lastPrice(symbol=B)': 20 },
    { period: '2026-06-05', 'quotes.lastPrice(symbol=A)': 50, 'quotes.lastPrice(symbol=B)': null },
  ];

  test('has all days, oldest first, and no figure where a price is 0', () => {
    const { labels, components } = compareSecurities(
      listComparedFigures(entry, 'price', ['B', 'A', 'C']),
      rows,
    );
    expect(labels).toEqual(['2026-06-05', '2026-06-08']);
    expect(components.map(({ title, values }) => [title, ...values])).toEqual([
      ['B', undefined, 20],
      ['A', 50, undefined],
      ['C', undefined, undefined],
    ]);
    expect(components[0]?.unitInfo.unit).toBe('per 100');
  });

  test('of spreads, which may be 0, is of computed figures', () => {
    const figures = listComparedFigures(entry, 'spread', ['A,1']);
    expect(figures.flatMap(({ columns }) => columns)).toEqual(['analytics.spread(symbol=A%2C1)']);
    const row = { period: '2026-06-05', 'analytics.spread(symbol=A%2C1)': 0 };
    expect(compareSecurities(figures, [row]).components[0]?.values).toEqual([0]);
  });
});
