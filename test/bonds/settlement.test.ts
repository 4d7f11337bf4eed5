import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  findSettlementDays,
  findUsualSettlementDays,
  getSettlementDay,
  getYearsToMaturity,
} from '../../src/bonds/index.ts';
import { isWeekend, parseDay } from '../../src/shared/calendar.ts';
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

test('settlement days are counted in weekdays', () => {
  const friday = parseDay('2026-06-26');
  const settlements = [0, 1, 2, 5].map((days) => getSettlementDay(friday, days) - friday);
  expect(settlements).toEqual([0, 3, 4, 7]);
});

describe('the settlement days of a quote', () => {
  const date = parseDay('2026-06-30');
  const quote = (daysLeft: number, days: number, decimals = 6) => {
    const settlement = getSettlementDay(date, days);
    const maturityYears = Number((daysLeft / 365).toFixed(decimals));
    return { date, maturity: settlement + daysLeft, maturityYears };
  };

  test('are those that its years to maturity count from, to 30 years and more', () => {
    for (const days of [0, 1, 2, 3, 5])
      for (const daysLeft of [1, 30, 364, 1_000, 12_345])
        expect(findSettlementDays(quote(daysLeft, days))).toBe(days);
  });

  test('are unknown from years with few decimals, and from those that count from another day', () => {
    expect(findSettlementDays(quote(730, 2))).toBeUndefined();
    expect(findSettlementDays(quote(1_000, 2, 4))).toBeUndefined();
    expect(findSettlementDays(quote(1_000, 6))).toBeUndefined();
    // The last of six decimals is of no other day.
    for (const error of [-1e-6, 1e-6]) {
      const { maturityYears, ...days } = quote(1_000, 2);
      const off = Number((maturityYears + error).toFixed(6));
      expect(findSettlementDays({ ...days, maturityYears: off })).toBeUndefined();
    }
    expect(
      findSettlementDays({ ...quote(1_000, 1), maturityYears: 1_000 / 365.25 }),
    ).toBeUndefined();
  });

  test('are usually those of most quotes that tell them, and else T+1', () => {
    expect(findUsualSettlementDays([quote(730, 3), quote(100, 2), quote(200, 2)])).toBe(2);
    expect(findUsualSettlementDays([quote(100, 2), quote(200, 0), quote(300, 0)])).toBe(0);
    expect(findUsualSettlementDays([quote(730, 2)])).toBe(1);
    // The fewest of those that are told equally often.
    expect(findUsualSettlementDays([quote(100, 3), quote(200, 0), quote(300, 2)])).toBe(0);
    expect(findUsualSettlementDays([quote(100, 2), quote(200, 1)])).toBe(1);
    expect(findUsualSettlementDays([])).toBe(1);
  });
});
