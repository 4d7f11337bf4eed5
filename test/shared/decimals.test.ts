import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { subtractDecimals, sumDecimals } from '../../src/shared/decimals.ts';

/** A decimal of a table: a whole number and how many of its digits are decimals. */
const anyDecimal = fc.record({
  digits: fc.oneof(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.bigInt(-(10n ** 6n), 10n ** 6n)),
  decimals: fc.oneof(fc.nat(3), fc.nat(30)),
});
type Decimal = typeof anyDecimal extends fc.Arbitrary<infer T> ? T : never;

const toNumber = ({ digits, decimals }: Decimal) => Number(`${digits}e-${decimals}`);

/** The exact sum, read as JSON is. */
function sumExactly(figures: readonly Decimal[]): number {
  const decimals = Math.max(0, ...figures.map((each) => each.decimals));
  const digits = figures.reduce(
    (sum, each) => sum + each.digits * 10n ** BigInt(decimals - each.decimals),
    0n,
  );
  return toNumber({ digits, decimals });
}

test('sums of decimals are the double nearest to the exact sum', () => {
  fc.assert(
    fc.property(fc.array(anyDecimal, { maxLength: 12 }), (figures) => {
      const numbers = figures.map(toNumber);
      expect(sumDecimals(numbers)).toBe(sumExactly(figures));
      expect(sumDecimals(numbers.toReversed())).toBe(sumDecimals(numbers));
    }),
  );
});

test('differences of decimals are exact, and zero is never negative', () => {
  expect(subtractDecimals(0.3, 0.1)).toBe(0.2);
  expect(subtractDecimals(1e21, 0.1)).toBe(1e21);
  expect(subtractDecimals(5e-324, 5e-324)).toBe(0);
  fc.assert(
    fc.property(anyDecimal, anyDecimal, (figure, base) => {
      const negative = { ...base, digits: -base.digits };
      const difference = subtractDecimals(toNumber(figure), toNumber(base));
      expect(difference).toBe(sumExactly([figure, negative]));
      expect(Object.is(subtractDecimals(toNumber(base), toNumber(base)), 0)).toBe(true);
    }),
  );
});

test('any doubles have a sum, which is infinite only if no double is as large', () => {
  const anyFigure = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(anyFigure, { maxLength: 5 }), (figures) => {
      const sum = sumDecimals(figures);
      const plain = figures.reduce((total, figure) => total + figure, 0);
      expect(sum).not.toBeNaN();
      if (Number.isFinite(plain)) expect(sum).toBeFinite();
    }),
  );
});
