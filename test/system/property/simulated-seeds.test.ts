import { expect, test } from 'bun:test';
import { system } from '../../../src/shared/system.ts';
import { runSeed } from '../../simulation/run-seed.ts';
import { REPETITIONS } from '../../support/store.ts';

/** After those of test/simulation. */
const FIRST_SEED = 20;
const SEEDS = 40 * REPETITIONS;

test('what must hold in the simulation holds for other seeds', () => {
  // The simulation replaces the time of the whole process.
  const real = { ...system };
  try {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const { failure } = runSeed(seed);
      const command = `npm run simulate -- --seed ${seed} --shrink`;
      expect(failure && { ...failure, command }).toBeUndefined();
    }
  } finally {
    Object.assign(system, real);
  }
}, 600_000);
