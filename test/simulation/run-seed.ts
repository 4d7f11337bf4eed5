import { drawPlan, type Plan } from './plan.ts';
import { type Failure, STEP_KINDS, World } from './world.ts';

export interface SeedResult {
  readonly plan: Plan;
  /** The first thing that did not hold. */
  readonly failure: Failure | undefined;
  /** The same for two runs of a plan. */
  readonly hash: string;
  readonly trace: readonly string[];
  readonly events: number;
  readonly labels: ReadonlyMap<string, number>;
}

export function runSeed(seed: number, keepsTrace = false): SeedResult {
  return runPlan(drawPlan(seed, STEP_KINDS), keepsTrace);
}

/** Runs a plan from its first event to its last, at once. */
export function runPlan(plan: Plan, keepsTrace = false): SeedResult {
  const world = new World(plan, keepsTrace);
  try {
    world.run();
  } catch (cause) {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    world.fail('nothing throws', text);
  } finally {
    world.close();
  }
  const { scheduler, failures } = world;
  const { hash, trace, labels, eventCount: events } = scheduler;
  return { plan, failure: failures[0], hash, trace, events, labels };
}
