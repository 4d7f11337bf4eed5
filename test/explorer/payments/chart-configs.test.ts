import { describe, expect, test } from 'bun:test';
import {
  buildChartConfigs,
  type ChartOptions,
  getVisibleComponents,
} from '../../../src/explorer/payments/chart-configs.ts';
import { getChartModes } from '../../../src/explorer/payments/chart-modes.ts';
import { buildSeriesData } from '../../../src/explorer/payments/series-data.ts';
import { field, list, quarterly } from '../breakdown/fixtures.ts';

const usual: ChartOptions = {
  mode: 'amounts',
  isScaleShared: true,
  hidden: new Set(),
  amendments: [],
};
const label = (place: number) => `Q${(place % 4) + 1} ${2010 + Math.floor(place / 4)}`;
const quarters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    period: label(index),
    a: index + 1,
    b: 1,
    total: index + 4,
  }));

const stackedOf = (count: number) => {
  const fields = [field('a'), field('b'), field('total')];
  return buildSeriesData(
    quarterly(fields, { fields: ['a', 'b'], total: 'total' }),
    quarters(count),
  );
};

describe('a stack', () => {
  test('is columns where periods are few, and areas where they are many', () => {
    expect(buildChartConfigs(stackedOf(10), usual)[0]?.layout).toBe('columns');
    expect(buildChartConfigs(stackedOf(32), usual)[0]?.layout).toBe('stacked');
  });

  test('leaves out what is hidden, and tells the total beside it all the same', () => {
    const [config] = buildChartConfigs(stackedOf(3), { ...usual, hidden: new Set(['a']) });
    expect(config?.lines.map(({ name }) => name)).toEqual(['The b']);
    expect(config?.tooltipOnly).toEqual([{ name: 'The total', values: [4, 5, 6] }]);
  });

  test('shows shares of the stated total, though the parts do not reach it', () => {
    const [drawing] = buildChartConfigs(stackedOf(2), { ...usual, mode: 'share' });
    expect(drawing?.lines.map(({ values }) => values)).toEqual([
      [25, 40],
      [25, 20],
    ]);
    expect(drawing?.yDomain).toEqual([0, 100]);
  });

  test('shows changes on the year as lines, with that of the whole first', () => {
    const [drawing] = buildChartConfigs(stackedOf(6), { ...usual, mode: 'change' });
    expect(drawing).toMatchObject({ layout: 'lines', unit: '%' });
    expect(drawing?.lines.map(({ name }) => name)).toEqual(['The total', 'The a', 'The b']);
    expect(drawing?.lines[1]?.values).toEqual([
      ...[undefined, undefined, undefined, undefined],
      400,
      200,
    ]);
  });
});

test('shares that are fractions are drawn in percent, to 100', () => {
  const entry = quarterly([list('shares', { kind: 'share', unit: 'fraction' })], {
    kind: 'shares',
  });
  const shares = [
    { key: 'x', value: 0.7 },
    { key: 'y', value: 0.2 },
    { key: 'z', value: 0.1 },
  ];
  const series = buildSeriesData(entry, [{ period: 'Q1 2024', shares }]);
  const [config] = buildChartConfigs(series, usual);
  expect(config).toMatchObject({ unit: '%', yDomain: [0, 100] });
  expect(config?.lines.map(({ values }) => values)).toEqual([[70], [20], [10]]);
  expect(getChartModes(series)).toEqual(['amounts', 'change']);
});

describe('small charts', () => {
  const fields = [field('total', { unit: 'agents' }), list('provinces', { unit: 'agents' })];
  const provinces = [
    { key: 'large', value: 60 },
    { key: 'small', value: 3 },
  ];
  const chart = { kind: 'multiples' as const, fields: ['provinces'], total: 'total' };
  const series = buildSeriesData(quarterly(fields, chart), [
    { period: 'Q1 2024', total: 64, provinces },
    { period: 'Q1 2023', total: 32, provinces },
  ]);

  test('are one for the whole and one for each key, on one scale', () => {
    const configs = buildChartConfigs(series, usual);
    expect(configs.map(({ heading }) => heading)).toEqual(['The total', 'large', 'small']);
    expect(new Set(configs.map(({ yDomain }) => String(yDomain)))).toEqual(new Set(['0,80']));
  });

  test('may each have a scale of their own', () => {
    const drawings = buildChartConfigs(series, { ...usual, isScaleShared: false });
    expect(drawings.map(({ yDomain: between }) => between)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('leave out the whole where shares of it are drawn', () => {
    const drawings = buildChartConfigs(series, { ...usual, mode: 'share' });
    expect(drawings.map(({ heading }) => heading)).toEqual(['large', 'small']);
    expect(drawings[0]?.lines[0]?.values.at(-1)).toBe(93.75);
  });
});

test('lines that differ in unit get an axis each', () => {
  const fields = [field('a', { unit: 'million' }), field('b'), field('c', { unit: 'million' })];
  const series = buildSeriesData(quarterly(fields, { kind: 'lines' }), [
    { period: 'Q1 2024', a: 1, b: 2, c: 3 },
  ]);
  const configs = buildChartConfigs(series, usual);
  expect(configs.map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ['million', 2],
    ['PKR billion', 1],
  ]);
});

test('rings stand at the figures that were corrected, of that part alone', () => {
  const measure = { kind: 'amount', unit: null };
  const known = { period: 'Q2 2010', periodKey: 'Q2 2010', key: 'b', title: 'b', measure };
  const values = [{ ...known, old: 2, new: 1 }];
  const amendment = { revision: 3, publishedAt: '', added: [], removed: [], values };
  const [config] = buildChartConfigs(stackedOf(3), { ...usual, amendments: [amendment] });
  expect(config?.lines.map(({ marks }) => [...(marks ?? [])])).toEqual([[], [1]]);
});

test('every part keeps its colour, whatever is hidden and drawn', () => {
  const series = stackedOf(3);
  const tones = (mode: ChartOptions['mode']) =>
    Object.fromEntries(
      getVisibleComponents(series, mode).parts.map(({ key, colorIndex }) => [key, colorIndex]),
    );
  expect(tones('amounts')).toEqual({ a: 1, b: 2 });
  expect(tones('change')).toEqual({ a: 1, b: 2, total: 9 });
  const [config] = buildChartConfigs(series, { ...usual, hidden: new Set(['a']) });
  expect(config?.lines.map(({ colorIndex }) => colorIndex)).toEqual([2]);
});
