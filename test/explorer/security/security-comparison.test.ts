import { describe, expect, test } from 'bun:test';
import type { AnalyticsRecord } from '../../../src/explorer/security/analytics.ts';
import type { QuotedSecurity } from '../../../src/explorer/security/quoted-security.ts';
import {
  alignSpreads,
  buildSecurityComparison,
  computeDifference,
  createComparisonRequest,
  MAX_COMPARED,
  parseCompared,
  parseMeasure,
  rankComparable,
  summarizeLine,
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

/** `{ A: { '2026-06-01': 1 } }` as rows of a table of yields and prices, newest first. */
const align = (figures: Readonly<Record<string, Readonly<Record<string, number>>>>) => {
  const days = new Set(Object.values(figures).flatMap(Object.keys));
  return [...days]
    .toSorted()
    .reverse()
    .map((period) => ({
      period,
      ...Object.fromEntries(
        Object.entries(figures).flatMap(([symbol, values]) =>
          ['ytm', 'lastPrice'].map((name) => [
            `quotes.${name}(symbol=${symbol})`,
            values[period] ?? null,
          ]),
        ),
      ),
    }));
};

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
  expect(['price', 'constructor', undefined].map(parseMeasure)).toEqual([
    'price',
    'yield',
    'yield',
  ]);
});

describe('a comparison', () => {
  const values = align({
    A: { '2026-06-02': 50, '2026-06-03': 60 },
    B: { '2026-06-03': 20, '2026-06-01': 10, '2026-06-02': 40 },
  });

  test('has all days, oldest first, and lines in the order of the securities', () => {
    const { days, lines } = buildSecurityComparison('price', ['B', 'A', 'C'], values);
    expect(days).toEqual(['2026-06-01', '2026-06-02', '2026-06-03']);
    expect(lines.map((line) => [line.name, ...line.values])).toEqual([
      ['B', 10, 40, 20],
      ['A', undefined, 50, 60],
      ['C', undefined, undefined, undefined],
    ]);
  });

  test('is rebased to 100 on the first day that all have', () => {
    const { lines, baseDay } = buildSecurityComparison('rebased', ['A', 'B', 'C'], values);
    expect(baseDay).toBe('2026-06-02');
    expect(lines.map((line) => line.values)).toEqual([
      [undefined, 100, 120],
      [25, 100, 50],
      [undefined, undefined, undefined],
    ]);
  });

  test('is never rebased to 0', () => {
    const rows = align({ A: { '2026-01-01': 0, '2026-01-02': 50 }, B: { '2026-01-01': 5 } });
    const { lines, baseDay } = buildSecurityComparison('rebased', ['A', 'B'], rows);
    expect(baseDay).toBeUndefined();
    expect(lines.map((line) => line.values)).toEqual([
      [undefined, 100],
      [100, undefined],
    ]);
  });

  test('is rebased to the first day of each where they have no day in common', () => {
    const disjoint = align({
      A: { '2026-06-01': 5, '2026-06-02': 6 },
      B: { '2026-06-03': 7 },
    });
    const { lines, baseDay } = buildSecurityComparison('rebased', ['A', 'B'], disjoint);
    expect(baseDay).toBeUndefined();
    expect(lines.map((line) => line.values)).toEqual([
      [100, 120, undefined],
      [undefined, undefined, 100],
    ]);
  });

  test('has no figure where a price or a yield is 0, but spreads of 0', () => {
    const rows = align({ A: { '2026-06-01': 0, '2026-06-02': 5 } });
    expect(buildSecurityComparison('price', ['A'], rows).days).toEqual(['2026-06-02']);
    const records = [{ date: '2026-06-01', symbol: 'A', spread: 0 }] as AnalyticsRecord[];
    const { lines } = buildSecurityComparison('spread', ['A'], alignSpreads(records));
    expect(lines.map((line) => line.values)).toEqual([[0]]);
  });

  test('is requested as one table', () => {
    const { path, parameters } = createComparisonRequest(['A,1', 'B'], { from: 'x', to: 'y' });
    expect([path, parameters?.columns, parameters?.from]).toEqual([
      '/aligned',
      'quotes.ytm(symbol=A%2C1),quotes.lastPrice(symbol=A%2C1),quotes.ytm(symbol=B),quotes.lastPrice(symbol=B)',
      'x',
    ]);
  });

  test('of two has their difference where both have a figure', () => {
    const comparison = buildSecurityComparison('yield', ['A', 'B'], values);
    expect(computeDifference(comparison, 100)).toEqual([undefined, 1000, 4000]);
    const disjoint = buildSecurityComparison('yield', ['A', 'C'], values);
    expect(computeDifference(disjoint, 100)).toBeUndefined();
    const ofThree = buildSecurityComparison('yield', ['A', 'B', 'C'], values);
    expect(computeDifference(ofThree, 100)).toBeUndefined();
  });

  test('is summarised with the change over its days, of yields in basis points', () => {
    const [line] = buildSecurityComparison('yield', ['B'], values).lines;
    expect(line && summarizeLine(line, { kind: 'percent', unit: 'percent' })).toMatchObject({
      newest: '20.000',
      change: '+1,000.0 bp',
      low: '10.000',
      high: '40.000',
    });
  });
});
