import type { Plan, Step, WorldOptions } from './plan.ts';
import { runPlan } from './run-seed.ts';

/** Other steps need another order: each plan is tried with a few seeds. */
const SEEDS_PER_PLAN = 4;

/** The least of a plan that still fails in the same way: fewer steps, servers, workers, clients. */
export function shrinkPlan(plan: Plan, property: string): Plan {
  let smallest = plan;
  for (;;) {
    const smaller = findSmaller(smallest, property);
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

function findSmaller(plan: Plan, property: string): Plan | undefined {
  for (const candidate of listSmaller(plan)) {
    const failing = findFailing(candidate, property);
    if (failing) return failing;
  }
  return undefined;
}

function findFailing(plan: Plan, property: string): Plan | undefined {
  for (let offset = 0; offset < SEEDS_PER_PLAN; offset++) {
    const attempt = { ...plan, seed: plan.seed + offset };
    if (runPlan(attempt).failure?.property === property) return attempt;
  }
  return undefined;
}

/** First those without half of the steps, then a quarter, and so on; then with fewer of everything. */
function* listSmaller(plan: Plan): Generator<Plan> {
  const { steps } = plan;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < steps.length; from += size)
      yield { ...plan, steps: steps.filter((_, index) => index < from || index >= from + size) };
  for (const name of ['servers', 'workers', 'clients', 'revisions', 'statementMs'] as const) {
    const value = plan.options[name];
    const least = name === 'revisions' || name === 'statementMs' ? 0 : 1;
    if (value > least) yield withOption(plan, name, value === least + 1 ? least : value - 1);
  }
}

/** Steps that name what there is no more of name the last one. */
function withOption(plan: Plan, name: keyof WorldOptions, value: number): Plan {
  const options = { ...plan.options, [name]: value };
  const fit = (step: Step): Step => ({
    ...step,
    ...('server' in step && { server: Math.min(Number(step.server), options.servers - 1) }),
    ...('worker' in step && { worker: Math.min(Number(step.worker), options.workers - 1) }),
    ...('client' in step && { client: Math.min(Number(step.client), options.clients - 1) }),
  });
  return { ...plan, options, steps: plan.steps.map(fit) };
}
