import { type CurveVector, FIRST_DECAY, type FreeParameters } from './curve-errors.ts';
import type { DecayLimit } from './decay-step.ts';

/** The shapes that a curve has: level and slope, then the hump, then the second hump. */
export type CurveShape = 'slope' | 'hump' | 'two-humps';

export const FREE_PARAMETERS: Readonly<Record<CurveShape, FreeParameters>> = {
  slope: [0, 1],
  hump: [0, 1, 2, 4],
  'two-humps': [0, 1, 2, 3, 4, 5],
};

/** How many of the free parameters are betas. */
export const BETA_COUNTS: Readonly<Record<CurveShape, number>> = {
  slope: 2,
  hump: 3,
  'two-humps': 4,
};

/** Two humps with decays nearer to each other are one, with betas that cancel each other. */
export const MIN_DECAY_DISTANCE = 0.1;

/** Keeps decays within a range of years, and the longer of two the longer one. */
export function listDecayLimits(
  shape: CurveShape,
  start: CurveVector,
  [shortest, longest]: readonly [number, number],
): DecayLimit[] {
  const [min, max] = [Math.log(shortest), Math.log(longest)];
  if (shape !== 'two-humps')
    return [
      { factors: [1], max },
      { factors: [-1], max: -min },
    ];
  const sign = (start[FIRST_DECAY] as number) < (start[FIRST_DECAY + 1] as number) ? 1 : -1;
  return [
    { factors: [1, 0], max },
    { factors: [-1, 0], max: -min },
    { factors: [0, 1], max },
    { factors: [0, -1], max: -min },
    { factors: [sign, -sign], max: -MIN_DECAY_DISTANCE },
  ];
}
