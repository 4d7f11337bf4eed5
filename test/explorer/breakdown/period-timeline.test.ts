import { describe, expect, test } from 'bun:test';
import {
  buildPeriodTimeline,
  findMissingPeriods,
} from '../../../src/explorer/breakdown/period-timeline.ts';

const build = (kind: 'annual' | 'quarterly' | 'monthly', labels: readonly string[]) =>
  buildPeriodTimeline(
    { period: { field: 'period', kind } },
    labels.map((period) => ({ period })),
  );

describe('buildPeriodTimeline', () => {
  test('orders periods by the calendar, oldest first', () => {
    const quarters = ['Q1 2024', 'Q4 2023', 'Q3 2023'];
    expect(build('quarterly', quarters).labels).toEqual(quarters.toReversed());
    const years = ['2024-25', 'FY24', '2023'];
    expect(build('annual', years).labels).toEqual(years.toReversed());
  });

  test('includes missing periods, with their plain labels', () => {
    const timeline = build('monthly', ['Mar 2024', 'Nov 2023']);
    expect(timeline.labels).toEqual(['Nov 2023', 'Dec 2023', 'Jan 2024', 'Feb 2024', 'Mar 2024']);
    expect(timeline.records.map((record) => record?.period)).toEqual([
      'Nov 2023',
      undefined,
      undefined,
      undefined,
      'Mar 2024',
    ]);
    expect(findMissingPeriods(timeline)).toEqual(['Dec 2023', 'Jan 2024', 'Feb 2024']);
  });

  test.each([
    ['annual', '2024', 1],
    ['quarterly', 'Q1 2024', 4],
    ['monthly', 'Jan 2024', 12],
  ] as const)('knows the periods per year of an %s series', (kind, label, count) => {
    expect(build(kind, [label]).periodsPerYear).toBe(count);
  });
});
