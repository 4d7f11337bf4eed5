import { describe, expect, test } from 'bun:test';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  buildFigure,
  buildSeriesComparison,
  describeFigure,
  type FigureSource,
  formatFigureReferences,
  listFigureKeys,
  parseFigureReferences,
} from '../../../src/explorer/payments/series-comparison.ts';
import { field, list, quarterly } from '../breakdown/fixtures.ts';

const createEntry = (
  name: string,
  fields: DatasetEntry['fields'],
  overrides: Partial<DatasetEntry> = {},
) =>
  ({
    name,
    title: `The ${name}`,
    key: ['period'],
    ...quarterly(fields),
    ...overrides,
  }) as DatasetEntry;

const cards = createEntry('cards', [field('a'), field('b')]);
const accounts = createEntry('accounts', [field('total', { kind: 'count', unit: 'accounts' })]);
const rates = createEntry(
  'rates',
  [field('region', { kind: 'text' }), field('bid', { kind: 'percent' })],
  {
    key: ['period', 'region'],
    chart: null,
  },
);
const shares = createEntry('shares', [list('parts', { kind: 'share', unit: null })], {
  chart: null,
});

const toSource = (entry: DatasetEntry, key: string): FigureSource => {
  const figure = describeFigure(entry, key);
  if (!figure) throw new Error(`${entry.name} has no ${key}`);
  return { ...figure, name: { series: entry.name, key }, keys: [] };
};
const LABELS = ['Q1 2025', 'Q2 2025', 'Q3 2025'];

/** Figures whose columns have these cells in three periods, by units. */
const compare = (
  ...columns: [entry: DatasetEntry, key: string, cells: Record<string, (number | null)[]>][]
) => {
  const rows = LABELS.map((_, index) =>
    Object.fromEntries(
      columns.flatMap(([entry, , cells]) =>
        Object.entries(cells).map(([text, values]) => [`${entry.name}.${text}`, values[index]]),
      ),
    ),
  );
  return columns.map(([entry, key], index) => buildFigure(toSource(entry, key), index, rows));
};

test('the figures of a series are those of its records, a sum or a total first', () => {
  const record = { period: 'Q1 2025', a: 1, b: 2 };
  expect(listFigureKeys(cards, [record])).toEqual(['a:b', 'a', 'b']);
  const withTotal = { ...cards, chart: { kind: 'stacked', fields: ['a'], total: 'b' } };
  expect(listFigureKeys(withTotal as DatasetEntry, [record])).toEqual(['b', 'a']);
  const parts = [
    { key: 'north', value: 0.2 },
    { key: 'a (b), c', value: 0.8 },
  ];
  expect(listFigureKeys(shares, [{ period: 'Q1 2025', parts }])).toEqual([
    'parts.a %28b%29%2C c',
    'parts.north',
  ]);
  const regions = ['x', 'y:z'].map((region) => ({ period: 'Q1 2025', region, bid: 1 }));
  expect(listFigureKeys(rates, regions)).toEqual(['bid(region=x)', 'bid(region=y%3Az)']);
  expect(listFigureKeys(cards, [])).toEqual([]);
});

test('a figure is described by the catalogue, and is the columns of its key', () => {
  expect(describeFigure(rates, 'bid(region=y%3Az)')).toMatchObject({
    optionTitle: 'The bid, y:z',
    title: 'The rates: The bid, y:z',
    columns: ['rates.bid(region=y%3Az)'],
  });
  expect(describeFigure(shares, 'parts.a %28b%29')).toMatchObject({
    title: 'The shares: a (b)',
    unitInfo: { kind: 'share' },
  });
  expect(describeFigure(cards, 'a:b')).toMatchObject({
    optionTitle: 'Sum of the components',
    title: 'The cards',
  });
  expect(describeFigure(cards, 'nothing')).toBeUndefined();
});

test('the service computes growth, but not of sums, and differences of percentages', () => {
  const sources = [
    toSource(accounts, 'total'),
    toSource(cards, 'a:b'),
    toSource(rates, 'bid(region=x)'),
  ];
  expect(sources.flatMap(({ requested }) => requested)).toEqual([
    ...['accounts.total', 'accounts.total:ch1', 'accounts.total:pc1'],
    ...['cards.a', 'cards.a:ch1', 'cards.b', 'cards.b:ch1'],
    ...['rates.bid(region=x)', 'rates.bid(region=x):ch1'],
  ]);
});

describe('a comparison', () => {
  const total = {
    total: [100, 120, null],
    'total:ch1': [null, 20, null],
    'total:pc1': [null, 20, null],
  };
  const sum = {
    a: [1, 2.1, 3],
    'a:ch1': [null, 0.2, 1],
    b: [1, 2, null],
    'b:ch1': [null, 1, null],
  };
  const bid = { 'bid(region=x)': [10, 12.5, 12], 'bid(region=x):ch1': [null, 2.5, 1] };
  const figures = compare(
    [accounts, 'total', total],
    [cards, 'a:b', sum],
    [rates, 'bid(region=x)', bid],
  );

  test.each([
    ['growth', '% on the year', [undefined, '+20.0 %', undefined]],
    ['change', 'accounts on the year', [undefined, '+20', undefined]],
    ['published', 'accounts', ['100', '120', '–']],
    ['rebased', 'Q1 2025 = 100', ['100.0', '120.0', undefined]],
  ] as const)('draws %s with its unit', (mode, unit, texts) => {
    const [chart] = buildSeriesComparison(figures, mode, LABELS);
    expect(chart?.unit).toBe(unit);
    expect(chart?.lines[0]?.texts).toEqual([...texts]);
  });

  test('has a chart for each unit, of percentages in percentage points', () => {
    const charts = buildSeriesComparison(figures, 'growth', LABELS);
    expect(charts.map(({ unit, lines }) => [unit, lines.length])).toEqual([
      ['% on the year', 2],
      ['pp on the year', 1],
    ]);
    expect(charts[1]?.lines[0]?.texts).toEqual([undefined, '+2.5 pp', '+1.0 pp']);
  });

  test('sums figures where all are there, and shows growth with no more certainty than they have', () => {
    const [, figure] = figures;
    expect(figure?.component.values).toEqual([2, 4.1, undefined]);
    expect(figure?.earlier).toEqual([undefined, 2.9, undefined]);
    const [chart] = buildSeriesComparison(figures, 'growth', LABELS);
    expect(chart?.lines[1]?.texts?.[1]).toBe('+37 to +46 %');
  });

  test('is rebased to the first period that all have, or else to the first of each', () => {
    const later = { a: [0, 5, 10] };
    const rebase = (cells: Record<string, (number | null)[]>) =>
      buildSeriesComparison(
        compare([accounts, 'total', total], [cards, 'a', cells]),
        'rebased',
        LABELS,
      );
    const [chart] = rebase(later);
    expect(chart?.unit).toBe('Q2 2025 = 100');
    expect(chart?.lines.map(({ values }) => values[1])).toEqual([100, 100]);
    expect(rebase({ a: [null, null, 5] })[0]?.unit).toBe('first period of each = 100');
  });

  test('is rebased to as many digits as figures are known to', () => {
    const rebase = (...a: number[]) =>
      buildSeriesComparison(compare([cards, 'a', { a }]), 'rebased', LABELS)[0]?.lines[0]?.texts;
    // Half a billion is one percent of 50, and a tenth of a percent of 500.
    expect(rebase(50, 40)).toEqual(['100', '80', undefined]);
    expect(rebase(500, 400)).toEqual(['100.0', '80.0', undefined]);
  });
});

test('figures in the URL name their series, and their key unless it is the main one', () => {
  const names = [
    { series: 'pos', key: undefined },
    { series: 'agents', key: 'provinces.punjab' },
    { series: 'kibor', key: 'bid(tenor=6M,side=a)' },
  ];
  const text = 'pos,agents~provinces.punjab,kibor~bid(tenor=6M,side=a)';
  expect(formatFigureReferences(names)).toBe(text);
  expect(parseFigureReferences(text)).toEqual(names);
  expect(parseFigureReferences(`${text},pos`)).toEqual(names);
  expect(formatFigureReferences([])).toBeUndefined();
});
