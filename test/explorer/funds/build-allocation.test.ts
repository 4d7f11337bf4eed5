import { describe, expect, test } from 'bun:test';
import {
  assignClassColors,
  buildAllocation,
  getPeriodSpan,
  type TimeSpan,
} from '../../../src/explorer/funds/build-allocation.ts';
import type { FundAllocationRecord } from '../../../src/explorer/funds/fund-record.ts';
import { fund } from './fixtures.ts';

const unitInfo = { kind: 'numbers', unit: 'percent' };
const monthly = fund(['2024-03-31', '2024-02-29', '2024-01-31'], {
  Cash: [10, 20, 30],
  Bonds: [90, 80, 70],
});
const build = (record: FundAllocationRecord, span?: TimeSpan, records = [record]) =>
  buildAllocation(record, { palette: assignClassColors(records, unitInfo), unitInfo, span });

describe('buildAllocation', () => {
  test('orders periods oldest first', () => {
    const { xs, components, gaps } = build(monthly);
    expect(xs).toEqual(['2024-01-31', '2024-02-29', '2024-03-31'].map(Date.parse));
    expect(components.map(({ key, values, colorIndex }) => [key, values, colorIndex])).toEqual([
      ['Cash', [30, 20, 10], 1],
      ['Bonds', [70, 80, 90], 2],
    ]);
    expect(gaps).toEqual([]);
  });

  test('leaves a gap where a period is missing, and none between months of different length', () => {
    const dates = ['2024-06-30', '2024-05-31', '2024-03-31', '2024-02-29', '2024-01-31'];
    const { components, periods, gaps } = build(fund(dates, { Cash: [1, 2, 3, 4, 5] }));
    expect(components[0]?.values).toEqual([5, 4, 3, undefined, 2, 1]);
    expect(periods[3]).toBeUndefined();
    expect(gaps.map(([before, after]) => [before.date, after.date])).toEqual([
      ['2024-03-31', '2024-05-31'],
    ]);
  });

  test('gives a class the same colour in both of two funds', () => {
    const other = fund(['2024-03-31', '2023-12-31'], { Sukuk: [40, 30], Cash: [60, 70] });
    const getColors = (record: FundAllocationRecord) =>
      build(record, undefined, [monthly, other]).components.map(({ key, colorIndex }) => {
        return `${key} ${colorIndex}`;
      });
    expect(getColors(monthly)).toEqual(['Cash 1', 'Bonds 2']);
    expect(getColors(other)).toEqual(['Cash 1', 'Sukuk 3']);
  });

  test('extends a fund to the span of the other', () => {
    const other = fund(['2024-04-30', '2023-12-31'], { Cash: [1, 2] });
    const { xs, components } = build(monthly, getPeriodSpan([monthly, other]));
    expect([xs[0], xs.at(-1)]).toEqual([Date.parse('2023-12-31'), Date.parse('2024-04-30')]);
    expect(components[0]?.values).toEqual([undefined, 30, 20, 10, undefined]);
    expect(build(monthly, getPeriodSpan([monthly])).xs).toHaveLength(3);
  });
});
