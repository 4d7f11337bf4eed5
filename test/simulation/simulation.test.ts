import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { system } from '../../src/shared/system.ts';
import found from './found.json' with { type: 'json' };
import type { Plan } from './plan.ts';
import { runPlan, runSeed } from './run-seed.ts';
import { shrinkPlan } from './shrink.ts';

/** A run of the system tests has more of them. */
const SEEDS = 20;
/** Other code draws other chances: plans of defects that were found are run in several orders. */
const ORDERS_OF_FOUND = 2;

/** The simulation replaces the time of the whole process. */
function keepSystem(run: () => void): void {
  const real = { ...system };
  try {
    run();
  } finally {
    Object.assign(system, real);
  }
}

describe('simulation', () => {
  test(`what must hold holds for ${SEEDS} seeds`, () => {
    keepSystem(() => {
      for (let seed = 0; seed < SEEDS; seed++) {
        const { failure } = runSeed(seed);
        const command = `npm run simulate -- --seed ${seed} --shrink`;
        expect(failure && { ...failure, command }).toBeUndefined();
      }
    });
  });

  test('a seed has one course, whatever ran before it', () => {
    keepSystem(() => {
      // The last one logs requests of tabs, which have no ids of their own.
      const seeds = [3, 1, 4, 42];
      const first = seeds.map((seed) => runSeed(seed).hash);
      const again = seeds.toReversed().map((seed) => runSeed(seed, true).hash);
      expect(again.toReversed()).toEqual(first);
      expect(new Set(first).size).toBe(seeds.length);
    });
  });

  test('a seed has the same course in another process', () => {
    keepSystem(() => {
      const command = [process.execPath, join(import.meta.dirname, 'simulate.ts'), '--seed', '42'];
      const { stdout } = Bun.spawnSync(command);
      expect(/^hash .*$/m.exec(stdout.toString())?.[0]).toBe(`hash ${runSeed(42).hash}`);
    });
  });

  for (const { name, plan } of found as unknown as { name: string; plan: Plan }[])
    test(`holds again what did not: ${name}`, () => {
      keepSystem(() => {
        for (let offset = 0; offset < ORDERS_OF_FOUND; offset++)
          expect(runPlan({ ...plan, seed: plan.seed + offset }).failure).toBeUndefined();
      });
    });

  test('shrinking keeps the steps that a failure needs, and no others', () => {
    keepSystem(() => {
      const { plan } = runSeed(5);
      // A step that no part knows how to explain: connections break without a fault.
      const atMs = Math.floor(plan.options.durationMs / 2);
      const bug = { atMs, kind: 'unexplained kill', server: 0 };
      const steps = [...plan.steps, bug].toSorted((a, b) => a.atMs - b.atMs);
      const { failure } = runPlan({ ...plan, steps });
      expect(failure?.property).toBe('steps are known');
      const shrunk = shrinkPlan({ ...plan, steps }, 'steps are known');
      expect(shrunk.steps).toEqual([bug]);
      expect(shrunk.options.servers).toBe(1);
    });
  });
});
