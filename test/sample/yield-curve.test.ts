import { expect, test } from 'bun:test';
import { parseDay } from '../../src/calendar.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY } from '../../src/sample/market/days.ts';
import { createSampleYieldCurve } from '../../src/sample/market/yield-curve.ts';

const curve = createSampleYieldCurve();
const TENORS = [0.02, 0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20];
const days = Array.from(
  { length: LAST_QUOTE_DAY - FIRST_QUOTE_DAY + 1 },
  (_, index) => FIRST_QUOTE_DAY + index,
);

test('rates come down from 22 % to 11 % at the short end, and less at the long end', () => {
  expect(curve(FIRST_QUOTE_DAY, 0.02)).toBeWithin(21, 23);
  expect(curve(LAST_QUOTE_DAY, 0.02)).toBeWithin(10.5, 11.5);
  expect(curve(FIRST_QUOTE_DAY, 20)).toBeWithin(14, 16);
  expect(curve(LAST_QUOTE_DAY, 20)).toBeWithin(12, 13);
});

test('yields stay between 9 % and 23 %', () => {
  const yields = days.flatMap((day) => TENORS.map((years) => curve(day, years)));
  expect(Math.min(...yields)).toBeGreaterThan(9);
  expect(Math.max(...yields)).toBeLessThan(23);
});

test('no yield moves by more than a quarter of a percent in a day, and none stands still', () => {
  for (const day of days.slice(1)) {
    for (const years of TENORS) {
      expect(Math.abs(curve(day, years) - curve(day - 1, years))).toBeWithin(1e-9, 0.25);
    }
  }
});

test('the curve is smooth: half a year further is never more than 2 % away', () => {
  for (const day of days) {
    for (let years = 0.5; years <= 20; years += 0.5) {
      expect(Math.abs(curve(day, years) - curve(day, years - 0.5))).toBeLessThan(2);
    }
  }
});

test('a day beyond the path is a bug, not a number', () => {
  expect(() => curve(parseDay('2027-01-01'), 1)).toThrow(RangeError);
});
