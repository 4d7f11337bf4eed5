import { expect, test } from 'bun:test';
import { computeZSpread, getZeroRate } from '../../../src/bonds/curve/index.ts';
import { MARKET_CURVE } from '../../support/curve-market.ts';

test.each([
  [1, 99],
  [1, 101],
  [2, 105],
  [365, 1],
  [365, 10_000],
  [3650, 1],
  [3650, 10_000],
])('100 in %d days is worth %d at its Z-spread', (days, price) => {
  const years = days / 365;
  const flows = { days: [days], years: [years], amounts: [100] };
  const spread = computeZSpread(flows, price, MARKET_CURVE) ?? Number.NaN;
  const growth = 1 + (getZeroRate(MARKET_CURVE, years) + spread) / 200;
  expect(100 * growth ** (-2 * years)).toBeCloseTo(price, 6);
});
