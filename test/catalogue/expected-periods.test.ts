import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findMissingPeriods, findNextDay } from '../../src/catalogue/model/expected-periods.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import type { PeriodUnit } from '../../src/catalogue/model/period-unit.ts';
import { formatDay, isWeekend, parseDay } from '../../src/shared/calendar.ts';

const daily = createPeriodKind('day');

/** The days from one to another that satisfy a condition. */
function listDays(from: string, to: string, hasRecord: (day: number, text: string) => boolean) {
  const first = parseDay(from);
  const days = Array.from({ length: parseDay(to) - first + 1 }, (_, index) => first + index);
  return days.filter((day) => hasRecord(day, formatDay(day)));
}

const findMissing = (days: readonly number[]) => findMissingPeriods(daily, days).map(formatDay);
const findNext = (days: readonly number[]) => {
  const next = findNextDay(days);
  return next === undefined ? undefined : formatDay(next);
};
const isFriday = (day: number) => new Date(day * 86_400_000).getUTCDay() === 5;
const isOpen = (day: number) => !isWeekend(day);

describe('missing days, and the next day', () => {
  test.each([
    ['2024-01-01', '2026-06-26', '2026-06-29'],
    ['1964-01-01', '1966-06-24', '1966-06-27'],
  ])('are none on weekends that a dataset never had, from %s to %s', (from, to, next) => {
    const days = listDays(from, to, isOpen);
    expect(findMissing(days)).toEqual([]);
    expect(findNext(days)).toBe(next);
  });

  test('are none on yearly holidays and on such that move, but are if more are missing', () => {
    const eids = ['2023-04-21', '2024-04-10', '2025-03-31', '2026-03-20'].map(parseDay);
    const isHoliday = (day: number, text: string) =>
      text.endsWith('-12-25') ||
      text.endsWith('-05-01') ||
      eids.includes(day) ||
      eids.includes(day - 1);
    const isTrading = (day: number, text: string) => isOpen(day) && !isHoliday(day, text);
    const days = listDays('2023-01-02', '2026-06-30', isTrading);
    expect(findMissing(days)).toEqual([]);
    const lost = ['2025-09-08', '2025-09-09', '2025-09-10', '2025-09-11'];
    expect(findMissing(days.filter((day) => !lost.includes(formatDay(day))))).toEqual(lost);
  });

  test('are one if a dataset that never lacked a weekday lacks one', () => {
    const days = listDays('2026-01-01', '2026-06-30', isOpen);
    const lost = parseDay('2026-03-11');
    expect(findMissing(days.filter((day) => day !== lost))).toEqual(['2026-03-11']);
  });

  test('are Fridays if a dataset has Fridays, although it once had a Thursday instead', () => {
    const fridays = listDays('2026-01-01', '2026-06-30', isFriday);
    const days = fridays.map((day) => (formatDay(day) === '2026-05-01' ? day - 1 : day));
    expect(findMissing(days)).toEqual(['2026-05-01']);
    expect(findMissing(fridays)).toEqual([]);
    expect(findNext(days)).toBe('2026-07-03');
  });

  test('include weekends if a dataset has every day', () => {
    const days = listDays('2026-01-01', '2026-06-30', (_, text) => text !== '2026-05-03');
    expect(findMissing(days)).toEqual(['2026-05-03']);
    expect(findNext(days)).toBe('2026-07-01');
  });

  test('are not known if whole weeks are skipped, and of one day the next is a week later', () => {
    const monthEnds = listDays('2024-01-01', '2026-06-30', (day) =>
      formatDay(day + 1).endsWith('-01'),
    );
    expect([findMissing(monthEnds), findNext(monthEnds)]).toEqual([[], undefined]);
    expect(findNext([parseDay('2026-06-30')])).toBe('2026-07-07');
  });
});

test('periods of other kinds are missing wherever they do not follow one another', () => {
  const units: readonly PeriodUnit[] = ['week', 'month', 'quarter', 'year'];
  const anyOrdinals = fc.uniqueArray(fc.integer({ min: -60, max: 60 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...units), anyOrdinals, (unit, ordinals) => {
      const missing = findMissingPeriods(createPeriodKind(unit), ordinals);
      const all = [...missing, ...ordinals].sort((a, b) => a - b);
      expect(all).toEqual(all.map((_, index) => (all[0] ?? 0) + index));
      const [first, last] = [Math.min(...ordinals), Math.max(...ordinals)];
      expect(missing.filter((ordinal) => ordinal < first || ordinal > last)).toEqual([]);
    }),
  );
});
