import { describe, expect, test } from 'bun:test';
import { computeBondFigures } from '../../src/bonds/bond-figures.ts';
import type { CouponBond } from '../../src/bonds/coupon-bond.ts';
import type { Frequency } from '../../src/bonds/coupon-schedule.ts';
import type { DayCount } from '../../src/bonds/day-count.ts';
import type { DiscountBill } from '../../src/bonds/discount-bill.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { holidays as holidayDates, vectors } from './quantlib-conventions.json';

const holidays = new Set(holidayDates.map(parseDay));

type Vector = (typeof vectors)[number];

function toSecurity(vector: Vector): CouponBond | DiscountBill {
  const { couponRate, frequency, issue, exDividendDays: days, business } = vector;
  const maturity = parseDay(vector.maturity);
  const dayCount = vector.dayCount as DayCount;
  if (couponRate === null) return { maturity, dayCount };
  return {
    ...{ maturity, couponRate, dayCount, frequency: frequency as Frequency },
    ...(issue && { issue: parseDay(issue) }),
    ...(days && { exDividend: { days, ...(business && { holidays }) } }),
  };
}

describe.each(Object.entries(Object.groupBy(vectors, ({ dayCount }) => dayCount)))(
  'the figures of a security by %s',
  (_, group = []) => {
    test.each(
      group.map((vector) => {
        const { issue, exDividendDays: days } = vector;
        const terms = `${issue ? `, issued on ${issue}` : ''}${days ? `, ex-dividend ${days} days` : ''}`;
        const title = `${vector.couponRate ?? 'no'} %, ${vector.settlement} to ${vector.maturity}${terms}`;
        return [title, vector] as const;
      }),
    )('are those of QuantLib (quantlib-conventions.py): %s', (_title, vector) => {
      const settlement = parseDay(vector.settlement);
      const figures = computeBondFigures(toSecurity(vector), settlement, vector.cleanPrice);
      expect(Object.keys(figures)).toEqual(Object.keys(vector.figures));
      for (const [name, value] of Object.entries(vector.figures)) {
        const figure = figures[name as keyof typeof figures];
        expect(Math.abs(figure - value) / Math.max(Math.abs(value), 1e-5), name).toBeLessThan(1e-9);
      }
    });
  },
);

test('no yield exists where a day count leaves no time, or interest more than the price', () => {
  const maturity = parseDay('2026-07-31');
  const bond: CouponBond = { maturity, couponRate: 8, frequency: 2, dayCount: '30/360' };
  const settlement = parseDay('2026-07-30');
  expect(() => computeBondFigures(bond, settlement, 99)).toThrow(RangeError);
  expect(() => computeBondFigures(bond, settlement, 100)).toThrow(RangeError);
  const exDividend: CouponBond = {
    maturity,
    couponRate: 8,
    frequency: 2,
    exDividend: { days: 60 },
  };
  for (const price of [1, 4 * (59 / 181)])
    expect(() => computeBondFigures(exDividend, maturity - 59, price)).toThrow(RangeError);
});

test('a business day of an ex-dividend period is neither on a weekend nor a holiday', () => {
  const exDividend = { days: 3, holidays: new Set([parseDay('2026-08-27')]) };
  const bond: CouponBond = { maturity: parseDay('2026-08-31'), couponRate: 8, frequency: 2 };
  const isNegative = (day: string) =>
    computeBondFigures({ ...bond, exDividend }, parseDay(day), 99).accrued < 0;
  expect(['2026-08-24', '2026-08-25', '2026-08-26'].map(isNegative)).toEqual([false, true, true]);
});
