import { describe, expect, test } from 'bun:test';
import {
  formatDayRange,
  isInDayRange,
  parseDayRange,
  validateDayRange,
} from '../../../src/explorer/security/day-range.ts';

const security = { firstDate: '2016-07-01', lastDate: '2026-03-31' };
const dates = { from: '2020-01-01', to: '2020-02-01' };

test.each([
  [{}, { from: '2025-03-31', to: undefined }],
  [{ span: 'century' }, { from: '2025-03-31', to: undefined }],
  [{ span: 'constructor' }, { from: '2025-03-31', to: undefined }],
  [{ span: '1M' }, { from: '2026-02-28', to: undefined }],
  [{ span: '3M' }, { from: '2025-12-31', to: undefined }],
  [{ span: '6M' }, { from: '2025-09-30', to: undefined }],
  [{ span: '1Y' }, { from: '2025-03-31', to: undefined }],
  [{ span: '3Y' }, { from: '2023-03-31', to: undefined }],
  [{ span: 'All' }, { from: '2016-07-01', to: undefined }],
  [{ span: '3M', ...dates }, dates],
  [{ to: dates.to }, { from: undefined, to: dates.to }],
])('the URL parameters %j select the date range %j', (params, range) => {
  expect(parseDayRange(params as Record<string, string>, security)).toEqual(range);
});

describe('a date range', () => {
  test('is invalid where it begins after its end', () => {
    expect(validateDayRange({ from: '2026-02-02', to: '2026-02-01' })).toBe(
      'The range begins on 2 Feb 2026, after its end on 1 Feb 2026.',
    );
    expect(validateDayRange({ from: '2026-02-01', to: '2026-02-01' })).toBeUndefined();
  });

  test.each(['2026-02-30', 'soon'])('is invalid where a day is %p', (day) => {
    expect(validateDayRange({ from: day, to: undefined })).toContain(`“${day}” is not a date`);
    expect(validateDayRange({ from: undefined, to: day })).toContain(`“${day}” is not a date`);
  });

  test('includes its first and last day, and is open where it has none', () => {
    const range = { from: '2026-02-01', to: '2026-02-03' };
    const days = ['2026-01-31', '2026-02-01', '2026-02-03', '2026-02-04'];
    expect(days.map((day) => isInDayRange(day, range))).toEqual([false, true, true, false]);
    expect(isInDayRange('1999-01-01', { from: undefined, to: '2026-02-03' })).toBe(true);
    expect(isInDayRange('2999-01-01', { from: '2026-02-01', to: undefined })).toBe(true);
  });

  test('is formatted with the days that it has', () => {
    expect(formatDayRange({ from: '2026-02-01', to: '2026-02-03' })).toBe(
      'from 1 Feb 2026 to 3 Feb 2026',
    );
    expect(formatDayRange({ from: undefined, to: '2026-02-03' })).toBe('to 3 Feb 2026');
  });
});
