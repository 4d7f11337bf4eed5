import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  billModifiedDuration,
  billPrice,
  billYield,
  computeBondFigures,
  type DayCount,
  toPricedSecurity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { day, number } from './arbitrary.ts';

const BILL = { maturity: parseDay('2020-12-03') };
const SETTLEMENT = parseDay('2020-09-10');

const settledBill = fc
  .record({ maturity: day, daysLeft: fc.integer({ min: 1, max: 400 }) })
  .map(({ maturity, daysLeft }) => ({ bill: { maturity }, settlement: maturity - daysLeft }));

describe('a discount bill', () => {
  test('has, at the yield of a price, that price', () => {
    fc.assert(
      fc.property(settledBill, number(1, 1000), ({ bill, settlement }, price) => {
        const recomputed = billPrice(bill, settlement, billYield(bill, settlement, price));
        expect(Math.abs(recomputed / price - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  test('loses price as its yield rises, by its modified duration', () => {
    fc.assert(
      fc.property(settledBill, number(-5, 100), ({ bill, settlement }, yieldPercent) => {
        const price = (shift: number) => billPrice(bill, settlement, yieldPercent + shift);
        const slope = ((price(-0.001) - price(0.001)) / 0.002 / price(0)) * 100;
        const duration = billModifiedDuration(bill, settlement, yieldPercent);
        expect(duration).toBeGreaterThan(0);
        expect(Math.abs(duration / slope - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  test.each([
    ['price', billPrice],
    ['yield', billYield],
    ['duration', billModifiedDuration],
  ] as const)('has no %s on or after maturity', (_, compute) => {
    for (const settlement of [BILL.maturity, BILL.maturity + 1]) {
      expect(() => compute(BILL, settlement, 10)).toThrow(RangeError);
      expect(() => compute(BILL, settlement, 10)).toThrow(/is not before maturity 2020-12-03$/);
    }
  });

  test.each([0, -1, Number.NaN, Infinity])('has no yield at a price of %p', (price) => {
    expect(() => billYield(BILL, SETTLEMENT, price)).toThrow(
      new RangeError(`not a price: ${price}`),
    );
  });

  test.each([-435, Number.NaN])('has no price at a yield of %p', (yieldPercent) => {
    expect(() => billPrice(BILL, SETTLEMENT, yieldPercent)).toThrow(/gives no price$/);
  });

  test('has no price if it would lose everything', () => {
    expect(() => billPrice(BILL, BILL.maturity - 365, -100)).toThrow(/gives no price$/);
  });
});

describe('the Macaulay duration of discount paper', () => {
  const page = readFileSync('docs/explanation/conventions.md', 'utf8');

  test.each<[DayCount | undefined, discount: number, bankDiscount: number]>([
    [undefined, 180 / 365, 180 / 360],
    ['ACT/ACT', 180 / 365, 180 / 360],
    ['ACT/365', 180 / 365, 180 / 365],
    ['ACT/360', 180 / 360, 180 / 360],
    ['30/360', 179 / 360, 179 / 360],
  ])(
    'with the day count %p is that of its yield, as documented',
    (dayCount, discount, bankDiscount) => {
      const [settlement, maturity] = [parseDay('2026-09-10'), parseDay('2027-03-09')];
      const durations = (['discount', 'bank-discount'] as const).map((pricing) => {
        const terms = { pricing, ...(dayCount && { dayCount }) };
        const security = toPricedSecurity('bond', maturity, terms);
        if (typeof security === 'string') throw new Error(security);
        return computeBondFigures(security, settlement, 95).macaulayDuration;
      });
      expect(durations[0]).toBeCloseTo(discount, 12);
      expect(durations[1]).toBeCloseTo(bankDiscount, 12);
      const rows = page.split('\n').filter((line) => line.startsWith('| '));
      const row = rows.find((line) => line.split('|')[1]?.includes(dayCount ?? 'not given'));
      const printed = row?.split('|').flatMap((cell) => cell.match(/= (\d\.\d{5}) $/)?.[1] ?? []);
      expect(printed).toEqual(durations.map((duration) => duration.toFixed(5)));
    },
  );
});
