import type { LinearPrices, MeanLoadings } from './linear-prices.ts';

/**
 * The mean loadings at any decay between those of the grid, without exponentials: by cubics through
 * the values at the two decays next to it, with their changes there (Hermite). The arrays of the result
 * are filled anew each time.
 */
export function createInterpolator({ decays, loadings, rates }: LinearPrices) {
  const start = Math.log(decays[0] as number);
  const step = Math.log((decays[1] as number) / (decays[0] as number));
  const slope = new Float64Array(rates.length);
  const hump = new Float64Array(rates.length);
  const humpChange = new Float64Array(rates.length);
  const interpolate = (logDecay: number): void => {
    const steps = (logDecay - start) / step;
    const index = Math.max(0, Math.min(decays.length - 2, Math.floor(steps)));
    const low = loadings[index] as MeanLoadings;
    const high = loadings[index + 1] as MeanLoadings;
    const { values, changes } = getCubics(steps - index, step);
    for (let security = 0; security < rates.length; security += 1) {
      const lowHump = low.hump[security] as number;
      const highHump = high.hump[security] as number;
      const lowChange = low.humpChange[security] as number;
      const highChange = high.humpChange[security] as number;
      slope[security] =
        values.low * (low.slope[security] as number) +
        values.lowChange * lowHump +
        values.high * (high.slope[security] as number) +
        values.highChange * highHump;
      hump[security] =
        values.low * lowHump +
        values.lowChange * lowChange +
        values.high * highHump +
        values.highChange * highChange;
      humpChange[security] =
        changes.difference * (highHump - lowHump) +
        changes.lowChange * lowChange +
        changes.highChange * highChange;
    }
  };
  return { slope, hump, humpChange, interpolate };
}

/** The factors of what is known at both ends of a step, for the value and for its change. */
function getCubics(part: number, step: number) {
  const remaining = 1 - part;
  return {
    values: {
      low: (1 + 2 * part) * remaining * remaining,
      high: (1 + 2 * remaining) * part * part,
      lowChange: part * remaining * remaining * step,
      highChange: -remaining * part * part * step,
    },
    changes: {
      difference: (6 * part * remaining) / step,
      lowChange: remaining * (1 - 3 * part),
      highChange: part * (1 - 3 * remaining),
    },
  };
}
