import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { getSettlementDay, getYearsToMaturity } from '../../src/bonds/index.ts';
import { isWeekend, parseDay } from '../../src/calendar.ts';
import { day } from './arbitrary.ts';

test('settlement is the first weekday after the trade', () => {
  fc.assert(
    fc.property(day, (trade) => {
      const settles = getSettlementDay(trade);
      expect(isWeekend(settles)).toBe(false);
      for (let day = trade + 1; day < settles; day += 1) {
        expect(isWeekend(day)).toBe(true);
      }
      expect(settles).toBeGreaterThan(trade);
    }),
  );
});

test('years to maturity are days divided by 365, in leap years too', () => {
  expect(getYearsToMaturity(parseDay('2027-03-01'), parseDay('2028-02-29'))).toBe(1);
  expect(getYearsToMaturity(parseDay('2026-04-09'), parseDay('2026-04-09'))).toBe(0);
  expect(getYearsToMaturity(parseDay('2027-04-09'), parseDay('2026-04-09'))).toBe(-1);
});
