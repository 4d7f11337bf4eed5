import { describe, expect, test } from 'bun:test';
import {
  buildChartConfigs,
  type ChartMode,
  type ChartOptions,
  getChartModes,
  getColoredComponents,
  MODE_TITLES,
} from '../../../src/explorer/series/chart-configs.ts';
import { buildSeriesData, type SeriesData } from '../../../src/explorer/series/series-data.ts';
import { field, list, quarterly } from './fixtures.ts';

const build = (series: SeriesData, options: Partial<ChartOptions> = {}) =>
  buildChartConfigs(series, {
    mode: 'amounts',
    isScaleShared: true,
    hidden: new Set(),
    corrections: [],
    ...options,
  });

const buildStack = (count: number) => {
  const fields = [field('a'), field('b'), field('total')];
  const records = Array.from({ length: count }, (_, index) => {
    const period = `Q${(index % 4) + 1} ${2010 + Math.floor(index / 4)}`;
    return { period, a: index + 1, b: 1, total: index + 4 };
  });
  return buildSeriesData(quarterly(fields, { fields: ['a', 'b'], total: 'total' }), records);
};

describe('the chart of stacked components', () => {
  test('has columns for few periods, and areas for many', () => {
    expect(build(buildStack(10))[0]?.layout).toBe('columns');
    expect(build(buildStack(32))[0]?.layout).toBe('stacked');
  });

  test('of a range has its periods alone, their changes on the year, and columns if they are few', () => {
    const stack = buildStack(32);
    const [config] = build(stack, { range: [30, 32] });
    expect(config?.layout).toBe('columns');
    expect(config?.lines.map(({ values }) => values)).toEqual([
      [31, 32],
      [1, 1],
    ]);
    expect(config?.tooltipOnly?.[0]?.values).toEqual([34, 35]);
    const [changes] = build(stack, { mode: 'change', range: [30, 32] });
    expect(changes?.lines[2]?.values).toEqual([0, 0]);
  });

  test('leaves out hidden components, and still shows the total in the tooltip', () => {
    expect(build(buildStack(3), { hidden: new Set(['a']) })).toMatchObject([
      {
        lines: [{ name: 'The b', colorIndex: 2 }],
        tooltipOnly: [{ name: 'The total', values: [4, 5, 6] }],
      },
    ]);
  });

  test('shows shares of the stated total, although the components do not add up to it', () => {
    const lines = [{ values: [25, 40] }, { values: [25, 20] }];
    const configs = build(buildStack(2), { mode: 'share' });
    expect(configs).toMatchObject([{ lines, yDomain: [0, 100] }]);
  });

  test('shows year-on-year changes as lines, that of the total first', () => {
    const [config] = build(buildStack(6), { mode: 'change' });
    expect(config).toMatchObject({ layout: 'lines', unit: '%' });
    expect(config?.lines.map(({ name }) => name)).toEqual(['The total', 'The a', 'The b']);
    expect(config?.lines[1]?.values.slice(3)).toEqual([undefined, 400, 200]);
  });

  test('shows differences on the year in the unit of the figures', () => {
    const [config] = build(buildStack(6), { mode: 'difference' });
    expect(config).toMatchObject({ layout: 'lines', unit: 'PKR billion' });
    expect(config?.lines[0]?.texts?.slice(3)).toEqual([undefined, '+4', '+4']);
  });

  const MARKED = { amounts: true, share: true, change: false, difference: true, rebased: true };
  test.each(Object.keys(MODE_TITLES) as ChartMode[])(
    'marks the corrected figures of a component as %s, where they are what is drawn',
    (mode) => {
      const unitInfo = { kind: 'amount', unit: null };
      const value = { period: 'Q2 2010', periodKey: 'Q2 2010', key: 'b', title: 'b', unitInfo };
      const values = [{ ...value, old: 2, new: 1 }];
      const correction = { revision: 3, publishedAt: '', added: [], removed: [], values };
      const [config] = build(buildStack(3), { mode, corrections: [correction] });
      const marks = config?.lines.filter(({ name }) => name === 'The b').map((line) => line.marks);
      expect(marks).toEqual([new Set(MARKED[mode] ? [1] : [])]);
    },
  );

  test('gives a component the same colour in every mode', () => {
    const getColors = (mode: ChartOptions['mode']) =>
      getColoredComponents(buildStack(3), mode).components.map(({ key, colorIndex }) => {
        return `${key} ${colorIndex}`;
      });
    expect(getColors('amounts')).toEqual(['a 1', 'b 2']);
    expect(getColors('change')).toEqual(['total 9', 'a 1', 'b 2']);
  });
});

test('changes on the year of days are those since the last working day a year before', () => {
  const entry = quarterly([field('a')], { kind: 'lines' });
  const series = buildSeriesData({ ...entry, period: { field: 'period', kind: 'daily' } }, [
    { period: '2026-06-08', a: 1250 },
    { period: '2025-06-06', a: 1000 },
  ]);
  const getText = (mode: ChartOptions['mode']) => build(series, { mode })[0]?.lines[0]?.texts;
  expect(getText('difference')?.at(-1)).toBe('+250');
  expect(getText('change')?.at(-1)).toBe('+25.0 %');
});

test('shares that are fractions are drawn in percent, up to 100', () => {
  const fields = [list('shares', { kind: 'share', unit: 'fraction' })];
  const shares = [
    { key: 'x', value: 0.7 },
    { key: 'y', value: 0.3 },
  ];
  const entry = quarterly(fields, { kind: 'shares' });
  const series = buildSeriesData(entry, [{ period: 'Q1 2024', shares }]);
  const lines = [{ values: [70] }, { values: [30] }];
  expect(build(series)).toMatchObject([{ unit: '%', yDomain: [0, 100], lines }]);
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
    const yDomain = [0, 64];
    const headings = ['The total', 'large', 'small'];
    expect(build(series)).toMatchObject(headings.map((heading) => ({ heading, yDomain })));
  });

  test('can have their own scales', () => {
    const configs = build(series, { isScaleShared: false });
    expect(configs.map(({ yDomain }) => yDomain)).toEqual([undefined, undefined, undefined]);
  });

  test('leave out the total where its shares are drawn', () => {
    const configs = build(series, { mode: 'share' });
    expect(configs.map(({ heading }) => heading)).toEqual(['large', 'small']);
    expect(configs[0]?.lines[0]?.values.at(-1)).toBe(93.75);
  });
});

describe('figures that are rebased to 100', () => {
  type Rows = readonly (readonly [a: number | null, b?: number | null])[];
  const buildRows = (rows: Rows) => {
    const records = rows.map(([a, b = null], index) => {
      return { period: `Q${(index % 4) + 1} ${2025 + Math.floor(index / 4)}`, a, b };
    });
    const fields = [field('a'), field('b', { kind: 'count', unit: 'accounts' })];
    return buildSeriesData(quarterly(fields, { kind: 'lines' }), records);
  };
  const rebase = (...rows: Rows) => build(buildRows(rows), { mode: 'rebased' });

  test('begin at the first period that all have, or else at the first of each', () => {
    const [chart] = rebase([0, 7], [5, 8], [10, 4]);
    expect(chart?.unit).toBe('Q2 2025 = 100');
    expect(chart?.lines.map(({ values }) => values)).toEqual([
      [0, 100, 200],
      [87.5, 100, 50],
    ]);
    const [disjoint] = rebase([5, null], [6, null], [null, 7]);
    expect(disjoint?.unit).toBe('first period of each = 100');
    expect(disjoint?.lines.map(({ values }) => values)).toEqual([
      [100, 120, undefined],
      [undefined, undefined, 100],
    ]);
  });

  test('have the mean of a chosen year for their base, and no line without figures in it', () => {
    const series = buildRows([[4], [6], [null], [5], [10, 3], [15, 6]]);
    const [chart] = build(series, { mode: 'rebased', base: '2025', range: [3, 6] });
    expect(chart?.unit).toBe('2025 = 100');
    expect(chart?.lines.map(({ values }) => values)).toEqual([
      [100, 200, 300],
      [undefined, undefined, undefined],
    ]);
  });

  test('begin at the first shown period, if not all are shown', () => {
    const series = buildRows([
      [1, 1],
      [2, 4],
      [4, 2],
    ]);
    const [chart] = build(series, { mode: 'rebased', range: [1, 3] });
    expect(chart?.unit).toBe('Q2 2025 = 100');
    expect(chart?.lines.map(({ values }) => values)).toEqual([
      [100, 200],
      [100, 50],
    ]);
  });

  test('have as many digits as figures are known to', () => {
    const getTexts = (...values: number[]) =>
      rebase(...values.map((value): [number] => [value]))[0]?.lines[0]?.texts;
    // Half a billion is one percent of 50, and a tenth of a percent of 500.
    expect(getTexts(50, 40)).toEqual(['100', '80']);
    expect(getTexts(500, 400)).toEqual(['100.0', '80.0']);
  });
});

test('lines in different units are drawn in separate charts', () => {
  const fields = [field('a', { unit: 'million' }), field('b'), field('c', { unit: 'million' })];
  const entry = quarterly(fields, { kind: 'lines' });
  const series = buildSeriesData(entry, [{ period: 'Q1 2024', a: 1, b: 2, c: 3 }]);
  expect(build(series).map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ['million', 2],
    ['PKR billion', 1],
  ]);
});
