import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeKeyRates, computeShiftedValue } from '../../src/bonds/curve/index.ts';

/** Flat at 10 percent, compounded twice a year. */
const FLAT = {
  beta0: 200 * Math.log(1.05),
  beta1: 0,
  beta2: 0,
  beta3: 0,
  tau1: 1,
  tau2: 1,
};

test('the example of key-rate durations in the conventions is computed like this', () => {
  const page = join(import.meta.dirname, '../../docs/explanation/conventions.md');
  const example = readFileSync(page, 'utf8').match(/\*\*An example\.\*\*.*/)?.[0] ?? '';
  const flows = { days: [365, 1095], years: [1, 3], amounts: [50, 50] };
  const held = { flows, curve: FLAT, spread: 0 };
  expect(example).toContain(`= ${computeShiftedValue(held, 0).toFixed(4)}. `);
  const { effectiveDuration, durations } = computeKeyRates(held, [1, 2, 5]);
  expect(example).toContain(`= ${effectiveDuration.toFixed(5)}. `);
  const [first, second, third] = durations.map((duration) => duration.toFixed(5));
  expect(example).toContain(
    `: ${first}, ${second} and ${third}, which add up to ${effectiveDuration.toFixed(5)}.`,
  );
});

test('a rate below -200 percent has no value', () => {
  const flows = { days: [200], years: [0.55], amounts: [100] };
  expect(computeShiftedValue({ flows, curve: FLAT, spread: 0 }, -300)).toBeNaN();
});
