import { describe, expect, test } from 'bun:test';
import { buildChartTable } from '../../../src/explorer/export/shown-table.ts';
import {
  buildSeriesComparison,
  type ComparedFigure,
  formatFigureReferences,
  parseFigureReferences,
} from '../../../src/explorer/payments/series-comparison.ts';
import { buildSeriesData, getHeadline } from '../../../src/explorer/payments/series-data.ts';
import { DAY_MS, formatDay } from '../../../src/shared/calendar.ts';
import { field, quarterly } from '../breakdown/fixtures.ts';

const createFigure = (
  title: string,
  values: Readonly<Record<string, number>>,
  kind = 'quarterly',
): ComparedFigure => {
  const entry = {
    ...quarterly([field('a', { kind: 'count', unit: 'accounts' })]),
    period: { field: 'period', kind },
  };
  const records = Object.entries(values).map(([period, a]) => ({ period, a }));
  const series = buildSeriesData(entry as Parameters<typeof buildSeriesData>[0], records);
  const component = getHeadline(series);
  if (!component) throw new Error('the series has a figure');
  const name = { series: title, key: undefined };
  return { name, title, colorIndex: 1, series, component };
};

const QUARTERS = { 'Q1 2024': 50, 'Q2 2024': 40, 'Q3 2024': 44, 'Q4 2024': 48, 'Q1 2025': 60 };
const quarters = createFigure('Quarters', QUARTERS);
const years = createFigure('Years', { '2023': 10, '2024': 20, '2025': 25 }, 'annual');

describe('buildSeriesComparison', () => {
  test('draws growth on the year at the ends of the periods, whatever their length', () => {
    const { xs, charts } = buildSeriesComparison([quarters, years], 'growth');
    expect(xs.map((x) => formatDay(x / DAY_MS))).toEqual([
      '2024-12-31',
      '2025-03-31',
      '2025-12-31',
    ]);
    expect(charts).toHaveLength(1);
    const [{ unit, lines } = { unit: '', lines: [] }] = charts;
    expect(unit).toBe('% on the year');
    expect(lines.map(({ texts }) => texts)).toEqual([
      [undefined, '+20.0 %', undefined],
      ['+100.0 %', undefined, '+25.0 %'],
    ]);
  });

  test('rebases to the first period that all have', () => {
    const later = createFigure('Later', { 'Q2 2024': 0, 'Q3 2024': 5, 'Q4 2024': 10 });
    const { charts } = buildSeriesComparison([quarters, later], 'rebased');
    expect(charts.map(({ unit }) => unit)).toEqual(['Q3 2024 = 100']);
    const rounded = charts[0]?.lines.map(({ values }) =>
      values.map((value) => value && Math.round(value)),
    );
    expect(rounded).toEqual([
      [100, 109, 136],
      [100, 200, undefined],
    ]);
  });

  test('rebases to a period that all of three have, and not two of them', () => {
    const later = createFigure('Later', { 'Q3 2024': 5, 'Q4 2024': 10 });
    const { charts } = buildSeriesComparison([quarters, quarters, later], 'rebased');
    expect(charts.map(({ unit }) => unit)).toEqual(['Q3 2024 = 100']);
  });

  test('rebases figures to as many digits as they are known to', () => {
    const rebase = (decimals: number) => {
      const { component } = quarters;
      const unitInfo = { ...component.unitInfo, decimals };
      const figure = { ...quarters, component: { ...component, unitInfo } };
      const [chart] = buildSeriesComparison([figure], 'rebased').charts;
      return chart?.lines[0]?.texts?.[1];
    };
    // Half a unit is one percent of 50, and half a tenth a tenth of that.
    expect([rebase(0), rebase(1)]).toEqual(['80', '80.0']);
  });

  test('rebases to a period of one length that ends with one of another', () => {
    const { charts } = buildSeriesComparison([quarters, years], 'rebased');
    expect(charts.map(({ unit }) => unit)).toEqual(['Q4 2024 and 2024 = 100']);
    expect(charts[0]?.lines.map(({ values }) => values)).toEqual([
      [100, 125, undefined],
      [100, undefined, 125],
    ]);
  });

  test('is saved with rebased figures as numbers, whatever the language of the page', () => {
    const { days, charts } = buildSeriesComparison([quarters, years], 'rebased');
    const table = buildChartTable('Period to', days, charts);
    expect(table.rows).toEqual([
      ['2025-12-31', undefined, 125],
      ['2025-03-31', 125, undefined],
      ['2024-12-31', 100, 100],
    ]);
  });

  test('rebases to no period that one of them lacks', () => {
    const later = createFigure('Later', { 'Q2 2024': 5, 'Q4 2024': 10, 'Q1 2025': 20 });
    const gap = createFigure('Gap', { 'Q1 2024': 1, 'Q2 2024': 0, 'Q4 2024': 4, 'Q1 2025': 6 });
    const { charts } = buildSeriesComparison([later, gap], 'rebased');
    expect(charts.map(({ unit }) => unit)).toEqual(['Q4 2024 = 100']);
    expect(charts[0]?.lines.map(({ values }) => values)).toEqual([
      [100, 200],
      [100, 150],
    ]);
  });

  test('separates figures in percent, whose growth is in percentage points', () => {
    const share = createFigure('Share', QUARTERS);
    const component = { ...share.component, unitInfo: { kind: 'percent', unit: 'percent' } };
    const { charts } = buildSeriesComparison([quarters, { ...share, component }], 'growth');
    expect(charts.map(({ unit }) => unit)).toEqual(['% on the year', 'pp on the year']);
  });
});

test('figures in the URL name their series, and their component unless it is the main one', () => {
  const names = [
    { series: 'pos', key: undefined },
    { series: 'agents', key: 'provinces.punjab' },
  ];
  expect(formatFigureReferences(names)).toBe('pos,agents~provinces.punjab');
  expect(parseFigureReferences('pos,agents~provinces.punjab')).toEqual(names);
  expect(parseFigureReferences('pos,agents~provinces.punjab,pos')).toEqual(names);
  expect(formatFigureReferences([])).toBeUndefined();
});
