import { describe, expect, test } from 'bun:test';
import {
  buildPeriodTimeline,
  listMissingPeriods,
} from '../../../src/explorer/series/period-timeline.ts';

const build = (kind: string, labels: readonly string[]) =>
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
    expect(listMissingPeriods(timeline)).toEqual(['Dec 2023', 'Jan 2024', 'Feb 2024']);
  });

  test.each([
    ['monthly', 'Mar 2025', ['Feb 2024', 'Mar 2024'], 'Mar 2024'],
    ['weekly', '2026-W10', ['2025-W09', '2025-W10'], '2025-W10'],
    // Only some years have a week 53.
    ['weekly', '2026-W53', ['2025-W51', '2025-W52'], '2025-W52'],
    // A Monday, and the Friday before the Sunday of a year earlier.
    ['daily', '2026-06-08', ['2025-06-05', '2025-06-06', '2025-06-09'], '2025-06-06'],
    ['daily', '2026-06-08', ['2025-05-31', '2025-06-09'], undefined],
    ['daily', '2024-12-31', ['2023-12-31', '2024-01-01'], '2023-12-31'],
  ])('finds the value a year before a period by the calendar: %s, %s', (kind, label, ...rest) => {
    const [earlier, expected] = rest;
    const { labels, records, getYearBefore } = build(kind, [...earlier, label]);
    const values = records.map((record, index) => record && index);
    const found = getYearBefore(values, labels.indexOf(label));
    expect(found === undefined ? undefined : labels[found]).toBe(expected);
  });

  test.each([
    ['annual', '2024', 1],
    ['quarterly', 'Q1 2024', 4],
    ['monthly', 'Jan 2024', 12],
  ] as const)('knows the periods per year of an %s series', (kind, label, count) => {
    expect(build(kind, [label]).periodsPerYear).toBe(count);
  });
});
