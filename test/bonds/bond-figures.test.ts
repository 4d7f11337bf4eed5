import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { computeBondFigures } from '../../src/bonds/bond-figures.ts';
import { cleanPrice, modifiedDuration } from '../../src/bonds/coupon-bond.ts';
import type { Frequency } from '../../src/bonds/coupon-schedule.ts';
import { billPrice } from '../../src/bonds/discount-bill.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { number, settledBond } from './arbitrary.ts';
import vectors from './quantlib-figures.json' with { type: 'json' };

describe('the figures of a security', () => {
  for (const vector of vectors) {
    const { settlement, maturity, cleanPrice: price, ...others } = vector;
    const { couponRate, frequency, issue, ...expected } = others;
    const kind =
      couponRate === null
        ? 'discount security'
        : `bond of ${couponRate} %${issue ? `, issued on ${issue}` : ''}`;
    test(`of a ${kind}, ${settlement} to ${maturity}, are those of QuantLib (quantlib-figures.py)`, () => {
      const security =
        couponRate === null
          ? { maturity: parseDay(maturity) }
          : {
              maturity: parseDay(maturity),
              couponRate,
              frequency: frequency as Frequency,
              ...(issue && { issue: parseDay(issue) }),
            };
      const figures = computeBondFigures(security, parseDay(settlement), price);
      expect(Object.keys(figures)).toEqual(Object.keys(expected));
      for (const [name, value] of Object.entries(expected))
        expect(figures[name as keyof typeof figures]).toBeCloseTo(value, 7);
    });
  }

  test('agree with the price at a yield that is a little higher and a little lower', () => {
    fc.assert(
      fc.property(
        settledBond({ min: 5, max: 9_000 }),
        number(1, 25),
        ({ bond, settlement }, ytm) => {
          const step = 0.01;
          const [up = 0, price = 0, down = 0] = [step, 0, -step].map((shift) =>
            cleanPrice(bond, settlement, ytm + shift),
          );
          const { dirtyPrice, dv01, convexity, ...figures } = computeBondFigures(
            bond,
            settlement,
            price,
          );
          expect(figures.ytm).toBeCloseTo(ytm, 6);
          expect(figures.modifiedDuration).toBeCloseTo(modifiedDuration(bond, settlement, ytm), 6);
          expect((down - up) / 2 / dv01).toBeCloseTo(1, 5);
          const secondDerivative = (up + down - 2 * price) / (step / 100) ** 2;
          expect(secondDerivative / dirtyPrice / convexity).toBeCloseTo(1, 2);
        },
      ),
    );
  });

  test('of a discount security agree with its price a little higher and lower, beyond a year too', () => {
    for (const days of [30, 364, 800]) {
      const bill = { maturity: 20_000 + days };
      const [up = 0, price = 0, down = 0] = [11.01, 11, 10.99].map((ytm) =>
        billPrice(bill, 20_000, ytm),
      );
      const { dv01, convexity, accrued, macaulayDuration } = computeBondFigures(
        bill,
        20_000,
        price,
      );
      expect((down - up) / 2).toBeCloseTo(dv01, 8);
      expect((up + down - 2 * price) / 1e-8 / price / convexity).toBeCloseTo(1, 3);
      expect(accrued).toBe(0);
      expect(macaulayDuration).toBe(days / 365);
    }
  });

  test('do not exist at a price of 0, after maturity, or if a yield is no number', () => {
    const bond = { maturity: 20_100, couponRate: 10, frequency: 2 as const };
    expect(() => computeBondFigures(bond, 20_000, 0)).toThrow(RangeError);
    expect(() => computeBondFigures(bond, 20_100, 100)).toThrow(RangeError);
    expect(() => computeBondFigures({ maturity: 20_001 }, 20_000, 1e-320)).toThrow(RangeError);
  });
});
