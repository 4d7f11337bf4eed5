import { expect, test } from 'bun:test';
import {
  buildPeriodTimeline,
  findShownRange,
  listYears,
} from '../../../src/explorer/series/period-timeline.ts';
import { parseDay } from '../../../src/shared/calendar.ts';

const QUARTERS = Array.from({ length: 30 }, (_, index) => ({
  period: `Q${(index % 4) + 1} ${2019 + Math.floor(index / 4)}`,
}));
const timeline = buildPeriodTimeline({ period: { field: 'period', kind: 'quarterly' } }, QUARTERS);

test.each([
  [{}, 'Q1 2019', 'Q2 2026'],
  [{ span: '1Y' }, 'Q2 2025', 'Q2 2026'],
  [{ span: '5Y' }, 'Q2 2021', 'Q2 2026'],
  [{ span: '10Y' }, 'Q1 2019', 'Q2 2026'],
  [{ span: 'constructor' }, 'Q1 2019', 'Q2 2026'],
  [{ span: '1Y', from: 'Q3 2020', to: 'Q1 2021' }, 'Q3 2020', 'Q1 2021'],
  [{ from: 'Q3 2020' }, 'Q3 2020', 'Q2 2026'],
  [{ to: 'Q1 2021' }, 'Q1 2019', 'Q1 2021'],
  [{ from: 'Q1 2021', to: 'Q3 2020' }, 'Q1 2019', 'Q2 2026'],
  [{ from: '2020-01-01', to: 'x' }, 'Q1 2019', 'Q2 2026'],
])('the range of %p is from %s to %s', (params, first, last) => {
  const shown = timeline.labels.slice(...findShownRange(timeline, params));
  expect([shown[0], shown.at(-1)]).toEqual([first, last]);
});

test('a range of days is that of another series where these days are missing', () => {
  const days = ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30'];
  const funds = { labels: days, lastDays: days.map((day) => parseDay(day)) };
  expect(findShownRange(funds, { from: '2024-02-15', to: '2024-04-15' })).toEqual([1, 3]);
});

test('the years of a time line are those in which its periods end, the newest first', () => {
  expect(listYears(timeline)).toEqual([
    '2026',
    '2025',
    '2024',
    '2023',
    '2022',
    '2021',
    '2020',
    '2019',
  ]);
});
