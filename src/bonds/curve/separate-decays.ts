import {
  type CurveParameters,
  getContinuousZero,
  getForwardRate,
  getParRate,
  getZeroRate,
} from './curve-rates.ts';
import { fitLeastSquares } from './least-squares.ts';

/** How much longer the second decay should be, as a logarithm; if the first is too much, the next is tried. */
const DISTANCES = [0.3, 0.2] as const;
/** A slope with a decay longer by more than this is not attributed to the shorter one. */
const MAX_REVERSED_DISTANCE = 1.2;

/** Half a basis point in percent, less what rates may change between the compared times. */
const MAX_RATE_CHANGE = 0.0045;
const TIME_COUNT = 32;

/**
 * The same curve with its second decay longer than the first by a given distance. If decays are almost equal,
 * betas are large, cancel each other, and jump from day to day with the order of the decays. Returns the
 * given curve if any zero, par or forward rate in a range of years would change by more than half a basis
 * point.
 */
export function separateDecays(
  curve: CurveParameters,
  [shortest, longest]: readonly [number, number],
): CurveParameters {
  const distance = Math.log(curve.tau2 / curve.tau1);
  if (!(distance < DISTANCES[0] && distance > -MAX_REVERSED_DISTANCE)) return curve;
  const times = Array.from(
    { length: TIME_COUNT },
    (_, index) => shortest * (longest / shortest) ** (index / (TIME_COUNT - 1)),
  );
  for (const wanted of [Math.max(DISTANCES[0], -distance), DISTANCES[1]]) {
    if (wanted <= distance) break;
    const other = approximate(curve, wanted, times);
    if (other && hasSameRates(curve, other, times)) return other;
  }
  return curve;
}

const MAX_ROUNDS = 7;
const FIRST_STEP = 0.1;
const NO_BETAS = { beta0: 0, beta1: 0, beta2: 0, beta3: 0 };
const BETAS = ['beta0', 'beta1', 'beta2', 'beta3'] as const;

/** The curve with decays at a distance whose zero and forward rates are nearest to the given ones. */
function approximate(curve: CurveParameters, distance: number, times: readonly number[]) {
  const target = sampleRates(curve, times);
  const fitAround = (center: number) => {
    const decays = { tau1: Math.exp(center - distance / 2), tau2: Math.exp(center + distance / 2) };
    const shapes = BETAS.map((beta) => sampleRates({ ...NO_BETAS, ...decays, [beta]: 1 }, times));
    const fit = fitLeastSquares(shapes, target, new Float64Array(target.length).fill(1));
    const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0] = fit?.coefficients ?? [];
    const loss = fit?.deviations.reduce((sum, deviation) => sum + deviation ** 2, 0) ?? Infinity;
    return { center, loss, curve: fit && { beta0, beta1, beta2, beta3, ...decays } };
  };
  let best = fitAround(Math.log(curve.tau1 * curve.tau2) / 2);
  for (let round = 0, step = FIRST_STEP; round < MAX_ROUNDS; round += 1) {
    const { center } = best;
    for (const next of [center - step, center + step].map(fitAround))
      if (next.loss < best.loss) best = next;
    if (best.center === center) step /= 2;
  }
  return best.curve;
}

function sampleRates(curve: CurveParameters, times: readonly number[]): Float64Array {
  const rates = times.map((time) => [getContinuousZero(curve, time), getForwardRate(curve, time)]);
  return new Float64Array(rates.flat());
}

function hasSameRates(a: CurveParameters, b: CurveParameters, times: readonly number[]): boolean {
  return [getZeroRate, getForwardRate, getParRate].every((getRate) =>
    times.every((time) => Math.abs(getRate(a, time) - getRate(b, time)) <= MAX_RATE_CHANGE),
  );
}
