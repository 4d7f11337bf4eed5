import { describe, expect, test } from 'bun:test';
import {
  buildChartConfigs,
  type ChartOptions,
  getColoredComponents,
} from '../../../src/explorer/payments/chart-configs.ts';
import { getChartModes } from '../../../src/explorer/payments/chart-modes.ts';
import { buildSeriesData } from '../../../src/explorer/payments/series-data.ts';
import { field, list, quarterly } from '../breakdown/fixtures.ts';

const defaults: ChartOptions = {
  mode: 'amounts',
  isScaleShared: true,
  hidden: new Set(),
  corrections: [],
};
const label = (index: number) => `Q${(index % 4) + 1} ${2010 + Math.floor(index / 4)}`;
const quarters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    period: label(index),
    a: index + 1,
    b: 1,
    total: index + 4,
  }));

const buildStack = (count: number) => {
  const fields = [field('a'), field('b'), field('total')];
  return buildSeriesData(
    quarterly(fields, { fields: ['a', 'b'], total: 'total' }),
    quarters(count),
  );
};

describe('the chart of stacked components', () => {
  test('has columns for few periods, and areas for many', () => {
    expect(buildChartConfigs(buildStack(10), defaults)[0]?.layout).toBe('columns');
    expect(buildChartConfigs(buildStack(32), defaults)[0]?.layout).toBe('stacked');
  });

  test('leaves out hidden components, and still shows the total in the tooltip', () => {
    const [config] = buildChartConfigs(buildStack(3), { ...defaults, hidden: new Set(['a']) });
    expect(config?.lines.map(({ name }) => name)).toEqual(['The b']);
    expect(config?.tooltipOnly).toEqual([{ name: 'The total', values: [4, 5, 6] }]);
  });

  test('shows shares of the stated total, although the components do not add up to it', () => {
    const [config] = buildChartConfigs(buildStack(2), { ...defaults, mode: 'share' });
    expect(config?.lines.map(({ values }) => values)).toEqual([
      [25, 40],
      [25, 20],
    ]);
    expect(config?.yDomain).toEqual([0, 100]);
  });

  test('shows year-on-year changes as lines, that of the total first', () => {
    const [config] = buildChartConfigs(buildStack(6), { ...defaults, mode: 'change' });
    expect(config).toMatchObject({ layout: 'lines', unit: '%' });
    expect(config?.lines.map(({ name }) => name)).toEqual(['The total', 'The a', 'The b']);
    expect(config?.lines[1]?.values).toEqual([
      ...[undefined, undefined, undefined, undefined],
      400,
      200,
    ]);
  });
});

test('shares that are fractions are drawn in percent, up to 100', () => {
  const entry = quarterly([list('shares', { kind: 'share', unit: 'fraction' })], {
    kind: 'shares',
  });
  const shares = [
    { key: 'x', value: 0.7 },
    { key: 'y', value: 0.2 },
    { key: 'z', value: 0.1 },
  ];
  const series = buildSeriesData(entry, [{ period: 'Q1 2024', shares }]);
  const [config] = buildChartConfigs(series, defaults);
  expect(config).toMatchObject({ unit: '%', yDomain: [0, 100] });
  expect(config?.lines.map(({ values }) => values)).toEqual([[70], [20], [10]]);
  expect(getChartModes(series)).toEqual(['amounts', 'change']);
});

describe('small multiples', () => {
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

  test('are a chart of the total and one of each key, on one scale', () => {
    const configs = buildChartConfigs(series, defaults);
    expect(configs.map(({ heading }) => heading)).toEqual(['The total', 'large', 'small']);
    expect(new Set(configs.map(({ yDomain }) => String(yDomain)))).toEqual(new Set(['0,80']));
  });

  test('can have their own scales', () => {
    const configs = buildChartConfigs(series, { ...defaults, isScaleShared: false });
    expect(configs.map(({ yDomain }) => yDomain)).toEqual([undefined, undefined, undefined]);
  });

  test('leave out the total where its shares are drawn', () => {
    const configs = buildChartConfigs(series, { ...defaults, mode: 'share' });
    expect(configs.map(({ heading }) => heading)).toEqual(['large', 'small']);
    expect(configs[0]?.lines[0]?.values.at(-1)).toBe(93.75);
  });
});

test('lines in different units are drawn in separate charts', () => {
  const fields = [field('a', { unit: 'million' }), field('b'), field('c', { unit: 'million' })];
  const series = buildSeriesData(quarterly(fields, { kind: 'lines' }), [
    { period: 'Q1 2024', a: 1, b: 2, c: 3 },
  ]);
  const configs = buildChartConfigs(series, defaults);
  expect(configs.map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ['million', 2],
    ['PKR billion', 1],
  ]);
});

test('only the corrected figures of a component are marked', () => {
  const unitInfo = { kind: 'amount', unit: null };
  const known = { period: 'Q2 2010', periodKey: 'Q2 2010', key: 'b', title: 'b', unitInfo };
  const values = [{ ...known, old: 2, new: 1 }];
  const correction = { revision: 3, publishedAt: '', added: [], removed: [], values };
  const [config] = buildChartConfigs(buildStack(3), { ...defaults, corrections: [correction] });
  expect(config?.lines.map(({ marks }) => [...(marks ?? [])])).toEqual([[], [1]]);
});

test('a component keeps its colour whatever is hidden and drawn', () => {
  const series = buildStack(3);
  const getColors = (mode: ChartOptions['mode']) =>
    Object.fromEntries(
      getColoredComponents(series, mode).components.map(({ key, colorIndex }) => [key, colorIndex]),
    );
  expect(getColors('amounts')).toEqual({ a: 1, b: 2 });
  expect(getColors('change')).toEqual({ a: 1, b: 2, total: 9 });
  const [config] = buildChartConfigs(series, { ...defaults, hidden: new Set(['a']) });
  expect(config?.lines.map(({ colorIndex }) => colorIndex)).toEqual([2]);
});
