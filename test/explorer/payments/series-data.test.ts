import { describe, expect, test } from 'bun:test';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  buildSeriesData,
  describeHeadline,
  getHeadline,
} from '../../../src/explorer/payments/series-data.ts';
import { field, list, quarterly } from '../breakdown/fixtures.ts';

const records = [
  { period: 'Q2 2024', a: 0.1, b: 0.2, total: 0.4 },
  { period: 'Q1 2024', a: 3, b: 4, total: 7 },
];

describe('the total of a series', () => {
  test('is the total that the source gives', () => {
    const chart = { fields: ['a', 'b'], total: 'total' };
    const series = buildSeriesData(
      quarterly([field('a'), field('b'), field('total')], chart),
      records,
    );
    expect(series.total).toMatchObject({ key: 'total', isComputed: false, values: [7, 0.4] });
    expect(series.components.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('is computed where stacked components have none, and is labelled as computed', () => {
    const series = buildSeriesData(quarterly([field('a'), field('b')]), records);
    expect(series.total).toMatchObject({ isComputed: true, values: [7, 0.3] });
    const headline = getHeadline(series);
    expect(headline && describeHeadline(series, headline)).toBe(
      'Sum of the components, computed here',
    );
  });

  test('is undefined for lines, whose largest component is the headline', () => {
    const series = buildSeriesData(quarterly([field('a'), field('b')], { kind: 'lines' }), records);
    expect(series.total).toBeUndefined();
    const headline = getHeadline(series);
    expect(headline && describeHeadline(series, headline)).toBe('The b, the largest figure');
  });
});

describe('a series without a chart of its own', () => {
  test('is drawn as lines of all its figures where its chart kind is unknown', () => {
    const chart = { kind: 'rainbow' as DatasetEntry['chart']['kind'], fields: ['a'] };
    const series = buildSeriesData(quarterly([field('a'), list('b')], chart), [
      { period: 'Q1 2024', a: 1, b: [{ key: 'x', value: 2 }] },
    ]);
    expect(series.kind).toBe('lines');
    expect(series.components.map(({ key }) => key)).toEqual(['a', 'b.x']);
  });

  test('is drawn as lines where its chart names no existing field', () => {
    const series = buildSeriesData(quarterly([field('a')], { fields: ['gone'] }), records);
    expect(series).toMatchObject({ kind: 'lines', components: [{ key: 'a' }] });
  });

  test('is not stacked where its fields differ in unit', () => {
    const fields = [field('a', { unit: 'million' }), field('b')];
    expect(buildSeriesData(quarterly(fields), records).kind).toBe('lines');
  });

  test('may have no records yet', () => {
    expect(buildSeriesData(quarterly([field('a')]), [])).toMatchObject({
      ordinals: [],
      components: [],
    });
  });
});
