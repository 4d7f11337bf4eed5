import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addBusinessDays,
  addMonths,
  formatDay,
  getLastDayOfMonth,
  isDay,
  isWeekend,
  parseDay,
} from '../../src/shared/calendar.ts';

const anyDay = fc.integer({ min: -700_000, max: 2_900_000 });

describe('calendar days', () => {
  test.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2026-12-31'])(
    '%s is a valid day',
    (text) => expect(isDay(text)).toBe(true),
  );

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-01',
    '2024-01-00',
    '2024-01-32',
    '0000-01-01',
    '20240101',
    '2024-1-1',
    '2024-01-01 ',
    '+2024-01-01',
    '２０２４-01-01',
    '',
  ])('"%s" is not a valid day', (text) => expect(isDay(text)).toBe(false));

  test('parsing and formatting are inverse and keep the order', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(parseDay(formatDay(day))).toBe(day);
        expect(formatDay(day) < formatDay(day + 1)).toBe(true);
      }),
    );
    expect(() => parseDay('2023-02-29')).toThrow(RangeError);
  });

  test.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2024-03-31', -1, '2024-02-29'],
    ['2024-08-31', -6, '2024-02-29'],
    ['2024-12-15', 1, '2025-01-15'],
    ['2024-01-15', -13, '2022-12-15'],
    ['0050-03-01', -12, '0049-03-01'],
  ])('%s plus %d months is %s', (from, months, to) => {
    expect(formatDay(addMonths(parseDay(from), months))).toBe(to);
  });

  test('weekends are Saturdays and Sundays', () => {
    const week = ['2026-06-29', '2026-06-30', '2026-07-01', '2026-07-02', '2026-07-03'];
    const weekends = ['2026-07-04', '2026-07-05', '1969-12-28'];
    expect([...week, ...weekends].filter((day) => isWeekend(parseDay(day)))).toEqual(weekends);
  });

  test.each([
    ['2026-11-13', 1, '2026-11-16'],
    ['2026-11-14', 1, '2026-11-16'],
    ['2026-11-16', 5, '2026-11-23'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-11-13', 0, '2026-11-13'],
  ])('%s plus %d business days is %s', (from, count, to) => {
    expect(formatDay(addBusinessDays(parseDay(from), count))).toBe(to);
  });

  test.each([
    [2024 * 12 + 1, '2024-02-29'],
    [2023 * 12 + 1, '2023-02-28'],
    [2026 * 12 + 11, '2026-12-31'],
    [12, '0001-01-31'],
  ])('the last day of month %d is %s', (month, day) => {
    expect(formatDay(getLastDayOfMonth(month))).toBe(day);
  });
});
