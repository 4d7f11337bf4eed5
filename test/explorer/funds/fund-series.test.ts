import { describe, expect, test } from 'bun:test';
import type { FundAllocationRecord } from '../../../src/explorer/funds/fund-record.ts';
import {
  assignClassColors,
  buildFundSeries,
  getPeriodSpan,
  type TimeSpan,
} from '../../../src/explorer/funds/fund-series.ts';
import { fund } from './fixtures.ts';

const unitInfo = { kind: 'numbers', unit: 'percent' };
const monthly = fund(['2024-03-31', '2024-02-29', '2024-01-31'], {
  Cash: [10, 20, 30],
  Bonds: [90, 80, 70],
});
const build = (record: FundAllocationRecord, span?: TimeSpan, records = [record]) =>
  buildFundSeries(record, { palette: assignClassColors(records, unitInfo), unitInfo, span });

describe('buildFundSeries', () => {
  test('orders periods oldest first', () => {
    const { series, gaps } = build(monthly);
    const { labels, palette } = series;
    expect(labels).toEqual(['2024-01-31', '2024-02-29', '2024-03-31']);
    expect(
      palette?.components.map(({ key, values, colorIndex }) => [key, values, colorIndex]),
    ).toEqual([
      ['Cash', [30, 20, 10], 1],
      ['Bonds', [70, 80, 90], 2],
    ]);
    expect(gaps).toEqual([]);
  });

  test('leaves a gap where a period is missing, and none between months of different length', () => {
    const dates = ['2024-06-30', '2024-05-31', '2024-03-31', '2024-02-29', '2024-01-31'];
    const { series, gaps } = build(fund(dates, { Cash: [1, 2, 3, 4, 5] }));
    expect(series.components[0]?.values).toEqual([5, 4, 3, undefined, 2, 1]);
    expect(series.records[3]).toBeUndefined();
    expect(gaps.map(([before, after]) => [before.date, after.date])).toEqual([
      ['2024-03-31', '2024-05-31'],
    ]);
  });

  test('gives a class the same colour in both of two funds', () => {
    const other = fund(['2024-03-31', '2023-12-31'], { Sukuk: [40, 30], Cash: [60, 70] });
    const getColors = (record: FundAllocationRecord) =>
      build(record, undefined, [monthly, other]).series.palette?.components.map(
        ({ key, colorIndex }) => {
          return `${key} ${colorIndex}`;
        },
      );
    expect(getColors(monthly)).toEqual(['Cash 1', 'Bonds 2']);
    expect(getColors(other)).toEqual(['Cash 1', 'Sukuk 3']);
  });

  test('extends a fund to the span of the other', () => {
    const other = fund(['2024-04-30', '2023-12-31'], { Cash: [1, 2] });
    const { labels, components } = build(monthly, getPeriodSpan([monthly, other])).series;
    expect([labels[0], labels.at(-1)]).toEqual(['2023-12-31', '2024-04-30']);
    expect(components[0]?.values).toEqual([undefined, 30, 20, 10, undefined]);
    expect(build(monthly, getPeriodSpan([monthly])).series.labels).toHaveLength(3);
  });
});
