import type { CashFlows } from './cash-flows.ts';
import { type CurveParameters, getZeroRate } from './curve-rates.ts';

/** Flows that keep their spread in percent, compounded twice a year, over the zero rates of a curve. */
export interface SpreadFlows {
  readonly flows: CashFlows;
  readonly curve: CurveParameters;
  readonly spread: number;
}

/** Durations in years: by the zero rates at each of some tenors, and by all of them. */
export interface KeyRateDurations {
  readonly effectiveDuration: number;
  readonly durations: readonly number[];
}

/** What flows are worth if every zero rate changes by some percent; NaN if a rate falls below -200 percent. */
export function computeShiftedValue({ flows, curve, spread }: SpreadFlows, shift: number): number {
  let value = 0;
  for (const [index, time] of flows.years.entries())
    value += discount(flows, index, getZeroRate(curve, time) + spread + shift);
  return value;
}

/** One basis point, in percent. */
const BUMP = 0.01;

/**
 * Minus the relative change of value for a basis point at each tenor, by central differences. A change at a
 * tenor declines to none at its neighbours, and is constant beyond the outer ones. Years ascend.
 */
export function computeKeyRates(
  { flows, curve, spread }: SpreadFlows,
  tenorYears: readonly number[],
): KeyRateDurations {
  const changes = new Float64Array(tenorYears.length);
  let [value, total] = [0, 0];
  for (const [index, time] of flows.years.entries()) {
    const rate = getZeroRate(curve, time) + spread;
    const change = (size: number) =>
      discount(flows, index, rate - size) - discount(flows, index, rate + size);
    value += discount(flows, index, rate);
    total += change(BUMP);
    for (const [tenor, weight] of weighTenors(tenorYears, time))
      changes[tenor] = (changes[tenor] as number) + change(BUMP * weight);
  }
  const scale = 100 / (2 * BUMP * value);
  return {
    effectiveDuration: total * scale,
    durations: Array.from(changes, (change) => change * scale),
  };
}

/** How much of a change at the tenors next to a time it gets; these add up to 1. */
function weighTenors(years: readonly number[], time: number): (readonly [number, number])[] {
  const next = years.findIndex((each) => each > time);
  if (next === 0) return [[0, 1]];
  if (next < 0) return [[years.length - 1, 1]];
  const [before, after] = [years[next - 1] as number, years[next] as number];
  const weight = (time - before) / (after - before);
  return [
    [next - 1, 1 - weight],
    [next, weight],
  ];
}

/** The present value of a flow at a rate in percent, compounded twice a year. */
function discount({ years, amounts }: CashFlows, index: number, rate: number): number {
  return (amounts[index] as number) * (1 + rate / 200) ** (-2 * (years[index] as number));
}
