import { expect, test } from 'bun:test';
import {
  buildComparison,
  type FigureSource,
} from '../../../src/explorer/comparison/build-comparison.ts';
import type { UnitInfo } from '../../../src/explorer/formatting/numbers.ts';
import { buildChartConfigs } from '../../../src/explorer/series/chart-configs.ts';
import { buildDifference } from '../../../src/explorer/series/compute-changes.ts';

const percent: UnitInfo = { kind: 'percent', unit: '%' };

const createSource = (title: string, rest: Partial<FigureSource> = {}): FigureSource => ({
  key: title,
  title,
  columns: [title],
  unitInfo: percent,
  route: { view: 'payments', params: {} },
  ...rest,
});

const TABLE = [
  { period: 'Q3 2025', a: 0, b: null },
  { period: 'Q1 2025', a: 1.1, b: 2.2 },
  { period: 'Q4 2024', a: null, b: null },
];

const getValues = (source: FigureSource) =>
  buildComparison([source], TABLE, 'quarterly').components[0]?.values;

test('figures are the sums of their columns where all are there, oldest first', () => {
  expect(getValues(createSource('a'))).toEqual([1.1, undefined, 0]);
  expect(getValues(createSource('a', { columns: ['a', 'b'] }))).toEqual([3.3]);
});

test('a figure of 0 is none where it means that', () => {
  expect(getValues(createSource('a', { isZeroMissing: true }))).toEqual([1.1]);
});

test('growth of a sum of rounded figures is a range, where they are too small for a number', () => {
  const source = createSource('a', {
    columns: ['a', 'b'],
    unitInfo: { kind: 'amount', unit: null },
  });
  const rows = [
    { period: 'Q1 2025', a: 0.1, b: 0.2 },
    { period: 'Q1 2024', a: 0.1, b: 0.1 },
  ];
  const options = { isScaleShared: true, hidden: new Set<string>(), corrections: [] };
  const comparison = buildComparison([source], rows, 'quarterly');
  const [chart] = buildChartConfigs(comparison, { mode: 'change', ...options });
  expect(chart?.lines[0]?.texts?.at(-1)).toBe('0 to +133 %');
});

test('days that no figure has are left out', () => {
  const days = ['2026-06-05', '2026-06-08'].map((period) => ({ period, a: 1 }));
  const { labels } = buildComparison([createSource('a')], days, 'daily', true);
  expect(labels).toEqual(['2026-06-05', '2026-06-08']);
});

test('the difference of two figures is drawn where both are there, of yields in basis points', () => {
  const component = (title: string, values: (number | undefined)[], unitInfo = percent) => ({
    key: title,
    title,
    field: '',
    unitInfo,
    values,
  });
  const [a, b] = [component('a', [undefined, 12.5, 3]), component('b', [1, 12, undefined])];
  const [chart] = buildDifference([a, b]);
  expect(chart).toMatchObject({ heading: 'a less b', unit: 'basis points' });
  expect(chart?.lines[0]?.values).toEqual([undefined, 50, undefined]);
  expect(chart?.format(50)).toBe('+50 bp');
  const shares = { kind: 'share', unit: null };
  const [points] = buildDifference([component('c', [0.5], shares), component('d', [0.2], shares)]);
  expect([points?.unit, points?.format(30)]).toEqual(['pp', '+30.0 pp']);
  expect(points?.lines[0]?.values).toEqual([30]);
  const inflation = { kind: 'numbers', unit: 'percent' };
  const [less] = buildDifference([
    component('c', [9.5], inflation),
    component('d', [8], inflation),
  ]);
  expect([less?.unit, less?.format(1.5)]).toEqual(['pp', '+1.5 pp']);
  expect(buildDifference([a, b, a])).toEqual([]);
  expect(buildDifference([a, component('c', [1], { kind: 'price', unit: null })])).toEqual([]);
  expect(buildDifference([a, component('c', [1])])).toEqual([]);
});
