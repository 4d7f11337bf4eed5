import { expect, test } from 'bun:test';
import { buildTimeline, findMissingPeriods } from '../../../src/explorer/breakdown/timeline.ts';

const of = (kind: 'annual' | 'quarterly' | 'monthly', labels: readonly string[]) =>
  buildTimeline(
    { period: { field: 'period', kind } },
    labels.map((period) => ({ period })),
  );

test('puts periods in their places, oldest first, whatever their labels say', () => {
  expect(of('quarterly', ['Q1 2024', 'Q4 2023', 'Q3 2023']).labels).toEqual([
    'Q3 2023',
    'Q4 2023',
    'Q1 2024',
  ]);
  expect(of('annual', ['2024-25', 'FY24', '2023']).labels).toEqual(['2023', 'FY24', '2024-25']);
});

test('keeps a place for every period that was left out, and names it', () => {
  const timeline = of('monthly', ['Mar 2024', 'Nov 2023']);
  expect(timeline.labels).toEqual(['Nov 2023', 'Dec 2023', 'Jan 2024', 'Feb 2024', 'Mar 2024']);
  expect(timeline.records.map((record) => record !== undefined)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(findMissingPeriods(timeline)).toEqual(['Dec 2023', 'Jan 2024', 'Feb 2024']);
});

test('knows how many places make a year', () => {
  expect(of('annual', ['2024']).periodsPerYear).toBe(1);
  expect(of('quarterly', ['Q1 2024']).periodsPerYear).toBe(4);
  expect(of('monthly', ['Jan 2024']).periodsPerYear).toBe(12);
});

test('is empty where nothing was published', () => {
  expect(of('annual', [])).toMatchObject({ ordinals: [], labels: [], records: [] });
});

test('takes records in the order of the answer where the kind of period is not known', () => {
  const weekly = { field: 'week', kind: 'weekly' as 'monthly' };
  const timeline = buildTimeline({ period: weekly }, [{ week: 'W2' }, { week: 'W1' }]);
  expect(timeline).toMatchObject({
    labels: ['W1', 'W2'],
    ordinals: [0, 1],
    periodsPerYear: undefined,
  });
});
