import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { settlementDay, yearsToMaturity } from '../../src/bonds/index.ts';
import { dayNumber, dayText, isWeekend } from '../../src/calendar.ts';
import { day } from './arbitrary.ts';

test.each([
  ['Wednesday', '2026-04-08', '2026-04-09'],
  ['Thursday', '2026-04-09', '2026-04-10'],
  ['Friday', '2026-04-10', '2026-04-13'],
  ['Saturday', '2026-04-11', '2026-04-13'],
  ['Sunday', '2026-04-12', '2026-04-13'],
])('a trade on a %s settles on the next weekday', (_, trade, settles) => {
  expect(dayText(settlementDay(dayNumber(trade)))).toBe(settles);
});

test('settlement is a weekday, after the trade, with only weekend days between', () => {
  fc.assert(
    fc.property(day, (trade) => {
      const settles = settlementDay(trade);
      expect(isWeekend(settles)).toBe(false);
      for (let between = trade + 1; between < settles; between += 1) {
        expect(isWeekend(between)).toBe(true);
      }
      expect(settles).toBeGreaterThan(trade);
    }),
  );
});

test('years to maturity are days over 365, leap years or not', () => {
  expect(yearsToMaturity(dayNumber('2027-03-01'), dayNumber('2028-02-29'))).toBe(1);
  expect(yearsToMaturity(dayNumber('2026-04-09'), dayNumber('2026-04-09'))).toBe(0);
  expect(yearsToMaturity(dayNumber('2027-04-09'), dayNumber('2026-04-09'))).toBe(-1);
});
