import { describe, expect, test } from 'bun:test';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  chooseFigures,
  describeFigure,
  formatFigureReferences,
  listComparable,
  listFigureKeys,
  parseFigureReferences,
  replaceFigure,
} from '../../../src/explorer/datasets/series-comparison.ts';
import { field, list, quarterly } from '../series/fixtures.ts';

const createEntry = (
  name: string,
  fields: DatasetEntry['fields'],
  overrides: Partial<DatasetEntry> = {},
) =>
  ({
    name,
    title: `The ${name}`,
    ...quarterly(fields),
    ...overrides,
  }) as DatasetEntry;

const cards = createEntry('cards', [field('a'), field('b')]);
const rates = createEntry(
  'rates',
  [
    field('region', { kind: 'text', codes: [{ value: 'x', label: 'North' }] }),
    field('bid', { kind: 'percent' }),
  ],
  {
    key: ['period', 'region'],
    chart: null,
  },
);
const shares = createEntry('shares', [list('parts', { kind: 'share', unit: null })], {
  chart: null,
});

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
    route: { params: { series: 'rates', of: 'y:z' } },
  });
  expect(describeFigure(rates, 'bid(region=x)')).toMatchObject({
    title: 'The rates: The bid, North',
    route: { params: { series: 'rates', of: 'x' } },
  });
  expect(describeFigure(shares, 'parts.a %28b%29')).toMatchObject({
    title: 'The shares: a (b)',
    unitInfo: { kind: 'share' },
  });
  expect(describeFigure(cards, 'a:b')).toMatchObject({
    optionTitle: 'Sum of the components',
    title: 'The cards',
    route: { params: { series: 'cards' } },
  });
  expect(describeFigure(cards, 'nothing')).toBeUndefined();
});

describe('the figures of the URL', () => {
  const names = parseFigureReferences('secret,cards,rates~bid(region=x),cards~a:b,cards~a');
  const regions = [{ period: 'Q1 2025', region: 'x', bid: 1 }];
  const cardRecords = [{ period: 'Q1 2025', a: 1, b: 2 }];
  const figures = chooseFigures(names, [cards, rates], [cardRecords, regions]);

  test('are drawn once each, as far as they can be read', () => {
    const keys = ['cards.a:cards.b', 'rates.bid(region=x)', 'cards.a'];
    expect(figures.map(({ key }) => key)).toEqual(keys);
  });

  test('stay in it when another is removed or exchanged, whether they can be read or not', () => {
    const [sum, rate] = figures as [(typeof figures)[0], (typeof figures)[0]];
    expect(replaceFigure(names, sum)).toBe('secret,rates~bid(region=x),cards~a');
    expect(replaceFigure(names, rate, 'bid(region=y)')).toBe(
      'secret,cards,rates~bid(region=y),cards~a:b,cards~a',
    );
    expect(parseFigureReferences(replaceFigure(names, sum, 'b'))).toHaveLength(4);
  });
});

test('figures of a security and rates of the curve are compared by the names of their columns', () => {
  const ytm = field('ytm', { kind: 'percent', meaning: 'Yield to maturity' });
  const texts = field('symbol', { kind: 'text' });
  const quotes = createEntry('quotes', [texts, ytm, field('volume')], { shape: 'quotes' });
  const comparable = listComparable([quotes, { ...cards, shape: 'series' }]);
  expect(comparable.map(({ name }) => name)).toEqual(['cards', 'quotes', 'curve']);
  const names = parseFigureReferences('quotes~ytm(symbol=A),curve~par(tenor=10Y)');
  const figures = chooseFigures(names, comparable, [[], [], []]);
  expect(figures).toMatchObject([
    {
      columns: ['quotes.ytm(symbol=A)'],
      title: 'The quotes: Yield to maturity, A',
      keys: ['ytm(symbol=A)', 'volume(symbol=A)'],
      route: { view: 'security', params: { symbol: 'A' } },
    },
    {
      columns: ['curve.par(tenor=10Y)'],
      title: 'Government curve: Par rate, 10Y',
      route: { view: 'market', params: { through: '10Y' } },
    },
  ]);
  expect(listComparable([cards])).toEqual([]);
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
