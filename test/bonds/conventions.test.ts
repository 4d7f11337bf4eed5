import { describe, expect, test } from 'bun:test';
import { computeBondFigures } from '../../src/bonds/bond-figures.ts';
import type { CouponBond } from '../../src/bonds/coupon-bond.ts';
import type { Frequency } from '../../src/bonds/coupon-schedule.ts';
import {
  computeCarry,
  computeRollDown,
  computeZSpread,
  getCashFlows,
  getDiscountFactor,
} from '../../src/bonds/curve/index.ts';
import type { DayCount } from '../../src/bonds/day-count.ts';
import type { DiscountBill } from '../../src/bonds/discount-bill.ts';
import { addMonths, formatDay, parseDay } from '../../src/shared/calendar.ts';
import { curve, holidays as holidayDates, vectors, yieldChange } from './quantlib-conventions.json';

const holidays = new Set(holidayDates.map(parseDay));

type Vector = (typeof vectors)[number];

function toSecurity(vector: Vector): CouponBond | DiscountBill {
  const { couponRate, frequency, issue, exDividendDays: days, business } = vector;
  const maturity = parseDay(vector.maturity);
  const dayCount = vector.dayCount as DayCount;
  if (couponRate === null) return { maturity, dayCount };
  return {
    maturity,
    couponRate,
    dayCount,
    frequency: frequency as Frequency,
    ...(issue && { issue: parseDay(issue) }),
    ...(days && { exDividend: { days, ...(business && { holidays }) } }),
  };
}

function expectSame(figure: number | undefined, value: number, name?: string): void {
  const difference = Math.abs((figure ?? Number.NaN) - value);
  expect(difference / Math.max(Math.abs(value), 1e-5), name).toBeLessThan(1e-9);
}

describe.each(Object.entries(Object.groupBy(vectors, ({ dayCount }) => dayCount)))(
  'of a security by %s, as QuantLib has them (quantlib-conventions.py)',
  (_, group = []) => {
    const withTitles = group.map((vector) => {
      const { issue, exDividendDays: days } = vector;
      const terms = `${issue ? `, issued on ${issue}` : ''}${days ? `, ex-dividend ${days} days` : ''}`;
      const title = `${vector.couponRate ?? 'no'} %, ${vector.settlement} to ${vector.maturity}${terms}`;
      return [title, vector] as const;
    });

    test.each(withTitles)('the figures: %s', (_title, vector) => {
      const settlement = parseDay(vector.settlement);
      const figures = computeBondFigures(toSecurity(vector), settlement, vector.cleanPrice);
      expect(Object.keys(figures)).toEqual(Object.keys(vector.figures));
      for (const [name, value] of Object.entries(vector.figures))
        expectSame(figures[name as keyof typeof figures], value, name);
    });

    test.each(withTitles)('carry, roll-down and Z-spread: %s', (_title, vector) => {
      const settlement = parseDay(vector.settlement);
      const security = toSecurity(vector);
      const { dirtyPrice, ytm } = vector.figures;
      const zSpread = computeZSpread(getCashFlows(security, settlement), dirtyPrice, curve);
      // Of near nothing, a spread is as exact as the rates that it is added to.
      expect(Math.abs((zSpread ?? Number.NaN) - vector.zSpread)).toBeLessThan(1e-10);
      if (!vector.holding) return;
      const { months, repo, carry, rollDown } = vector.holding;
      const discount = (day: number) => getDiscountFactor(curve, (day - settlement) / 365);
      const grow = (from: number, to: number) =>
        repo === null ? discount(from) / discount(to) : 1 + ((repo / 100) * (to - from)) / 365;
      const horizon = addMonths(settlement, months);
      const held = { security, settlement, dirtyPrice, ytm, horizon };
      expectSame(computeCarry(held, grow), carry);
      expectSame(computeRollDown(held, ytm + yieldChange), rollDown);
    });

    test.each(withTitles.filter(([, { cashFlows }]) => cashFlows))(
      'cash flows: %s',
      (_title, vector) => {
        const { days, amounts } = getCashFlows(toSecurity(vector), parseDay(vector.settlement));
        const expected = vector.cashFlows?.split(' ').map((text) => text.split('=')) ?? [];
        expect(days.map(formatDay)).toEqual(expected.map(([day = '']) => day));
        for (const [index, [, amount]] of expected.entries())
          expectSame(amounts[index], Number(amount));
      },
    );
  },
);

test('no yield exists if a day count leaves no time, or interest more than the price', () => {
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
