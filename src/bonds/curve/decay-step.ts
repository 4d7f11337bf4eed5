import { type CurveShape, type CurveVector, FIRST_DECAY } from './curve-errors.ts';
import { solveSystem } from './least-squares.ts';

/** An upper bound for a weighted sum of the decays' logarithms. */
export interface DecayLimit {
  readonly factors: readonly number[];
  readonly max: number;
}

/** The loss around the logarithms of the decays: half of its gradient and of its Hessian. */
interface DecayModel {
  readonly position: Float64Array;
  readonly gradient: readonly number[];
  readonly hessian: readonly (readonly number[])[];
}

/** The most that the logarithm of a decay changes at once: further away the loss is not quadratic. */
const MAX_STEP = 0.5;

/**
 * The step within the limits that gains most if the loss is quadratic: Newton's step, which a limit may
 * cut short, or one along the limits. Undefined if no step gains anything.
 */
export function chooseDecayStep(
  { position, gradient, hessian }: DecayModel,
  limits: readonly DecayLimit[],
): readonly number[] | undefined {
  const size = gradient.length;
  const matrix = { size, values: new Float64Array(hessian.flat()) };
  const newton = solveSystem(matrix, new Float64Array(gradient), size);
  let maxGain = 0;
  let best: readonly number[] | undefined;
  for (const direction of [...(newton ? [newton] : []), ...(size === 2 ? LIMIT_DIRECTIONS : [])]) {
    const slope = multiply(direction, gradient);
    const curvature = multiply(
      direction,
      hessian.map((row) => multiply(row, direction)),
    );
    if (!(curvature > 0)) continue;
    const downhill = Array.from(direction, (value) => (slope > 0 ? -value : value));
    const length = Math.min(
      Math.abs(slope) / curvature,
      MAX_STEP / Math.max(...downhill.map(Math.abs)),
      getLengthToLimit(position, downhill, limits),
    );
    const gain = length * (Math.abs(slope) - (length * curvature) / 2);
    if (gain <= maxGain) continue;
    maxGain = gain;
    best = downhill.map((value) => value * length);
  }
  return best;
}

const SINGLE_DECAYS = [
  [1, 0],
  [0, 1],
] as const;

/** Limits bound single decays or the distance between two; steps along them are in these directions. */
const LIMIT_DIRECTIONS = [...SINGLE_DECAYS, [1, 1]] as const;

function getLengthToLimit(
  position: Float64Array,
  direction: readonly number[],
  limits: readonly DecayLimit[],
): number {
  let length = Infinity;
  for (const { factors, max } of limits) {
    const approach = multiply(factors, direction);
    if (approach > 0)
      length = Math.min(length, Math.max(0, max - multiply(factors, position)) / approach);
  }
  return length;
}

type Numbers = Float64Array | readonly number[];

/** The sum of products, over the length of the first list. */
export function multiply(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1)
    sum += (a[index] as number) * (b[index] as number);
  return sum;
}

/** Two humps with closer decays are one hump, with betas that cancel each other. */
export const MIN_DECAY_DISTANCE = 0.1;

/** Keeps decays within a range of years, and the longer of two the longer one. */
export function listDecayLimits(
  shape: CurveShape,
  start: CurveVector,
  [shortest, longest]: readonly [number, number],
): DecayLimit[] {
  const [min, max] = [Math.log(shortest), Math.log(longest)];
  const limits = (shape === 'two-humps' ? SINGLE_DECAYS : [[1]]).flatMap((factors) => [
    { factors, max },
    { factors: factors.map((factor) => -factor), max: -min },
  ]);
  if (shape !== 'two-humps') return limits;
  const sign = (start[FIRST_DECAY] as number) < (start[FIRST_DECAY + 1] as number) ? 1 : -1;
  return [...limits, { factors: [sign, -sign], max: -MIN_DECAY_DISTANCE }];
}
