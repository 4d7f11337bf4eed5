import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  findSettlementDays,
  findUsualSettlementDays,
  getSettlementDay,
  getTradeSettlement,
  getYearsToMaturity,
  type SettlementTerms,
} from '../../src/bonds/index.ts';
import { formatDay, isWeekend, parseDay } from '../../src/shared/calendar.ts';
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

describe('a trade of a Thursday settles', () => {
  const trade = { date: parseDay('2026-06-25'), maturity: parseDay('2036-10-15') };
  const holidays = new Set([parseDay('2026-06-26')]);
  const settle = (terms: SettlementTerms, quotedDays?: number, defaultDays?: number) =>
    formatDay(getTradeSettlement(trade, terms, quotedDays, defaultDays));

  test('on the next business day of a calendar if its terms have no settlement days', () => {
    expect(settle({})).toBe('2026-06-26');
    expect(settle({ holidays })).toBe('2026-06-29');
    expect(settle({ holidays }, undefined, 2)).toBe('2026-06-30');
    expect(settle({ holidays: new Set() })).toBe('2026-06-26');
  });

  test('on a business day after it with a calendar, whatever the years of its quote count from', () => {
    for (const [days, expected] of [
      [0, '2026-06-29'],
      [1, '2026-06-29'],
      // A source that knows of the holiday counts two weekdays to the next business day.
      [2, '2026-06-29'],
      [3, '2026-06-30'],
    ] as const)
      expect(settle({ holidays }, days)).toBe(expected);
    expect(settle({}, 0)).toBe('2026-06-25');
  });

  test('by the settlement days of its terms before all else', () => {
    expect(settle({ settlementDays: 2, holidays }, 5, 3)).toBe('2026-06-30');
    expect(settle({ settlementDays: 0, holidays }, 5, 3)).toBe('2026-06-25');
  });

  test('on the day of issue at the earliest, unless that is none', () => {
    const later = { issueDate: '2026-07-02' };
    for (const terms of [later, { ...later, holidays }, { ...later, settlementDays: 2 }])
      for (const days of [undefined, 0, 5]) expect(settle(terms, days)).toBe('2026-07-02');
    for (const issueDate of ['2026-06-26', '2026-06-01', '2036-10-15', '2026-02-30'])
      expect(settle({ issueDate })).toBe('2026-06-26');
  });
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
