import { describe, expect, test } from 'bun:test';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  buildSeriesData,
  describeHeadline,
  getHeadline,
} from '../../../src/explorer/series/series-data.ts';
import { field, list, quarterly } from './fixtures.ts';

const records = [
  { period: 'Q2 2024', a: 0.1, b: 0.2, total: 0.4 },
  { period: 'Q1 2024', a: 3, b: 4, total: 7 },
];
const build = (fields: DatasetEntry['fields'], chart: Partial<DatasetEntry['chart']> = {}) => {
  const series = buildSeriesData(quarterly(fields, chart), records);
  const headline = getHeadline(series);
  return { ...series, headline: headline && describeHeadline(series, headline) };
};

describe('the total of a series', () => {
  test('is the one that the source gives', () => {
    const fields = [field('a'), field('b'), field('total')];
    expect(build(fields, { fields: ['a', 'b'], total: 'total' })).toMatchObject({
      total: { key: 'total', isComputed: false, values: [7, 0.4] },
      components: [{ key: 'a' }, { key: 'b' }],
    });
  });

  test('is computed where stacked components have none, and is labelled as computed', () => {
    expect(build([field('a'), field('b')])).toMatchObject({
      total: { isComputed: true, values: [7, 0.3] },
      headline: 'Sum of the components, computed here',
    });
  });

  test('is undefined for lines, whose largest component is the headline', () => {
    const { total, headline } = build([field('a'), field('b')], { kind: 'lines' });
    expect(total).toBeUndefined();
    expect(headline).toBe('The b, the largest figure');
  });
});

describe('a series is drawn as lines', () => {
  test('of all its figures where its chart kind is unknown', () => {
    const chart = { kind: 'rainbow' as NonNullable<DatasetEntry['chart']>['kind'], fields: ['a'] };
    const series = buildSeriesData(quarterly([field('a'), list('b')], chart), [
      { period: 'Q1 2024', a: 1, b: [{ key: 'x', value: 2 }] },
    ]);
    expect(series).toMatchObject({ kind: 'lines', components: [{ key: 'a' }, { key: 'b.x' }] });
  });

  test('where its chart names no existing field', () => {
    const series = build([field('a')], { fields: ['gone'] });
    expect(series).toMatchObject({ kind: 'lines', components: [{ key: 'a' }] });
  });

  test('where its fields differ in unit', () => {
    expect(build([field('a', { unit: 'million' }), field('b')]).kind).toBe('lines');
  });
});

test('a series may have no records', () => {
  const series = buildSeriesData(quarterly([field('a')]), []);
  expect(series).toMatchObject({ ordinals: [], components: [] });
});
