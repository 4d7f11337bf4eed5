import { EventFollower } from '../../test/simulation/event-follower.ts';
import { SLOTS } from '../../test/simulation/model.ts';
import type { Step } from '../../test/simulation/plan.ts';
import { QUERIES, QUERY_NAMES } from '../../test/simulation/queries.ts';
import { Random } from '../../test/simulation/random.ts';
import { actByChance } from '../../test/simulation/reading-steps.ts';
import { runTenorProcess } from '../../test/support/run-tenor.ts';
import { CLIENTS, drawRealPlan, type FaultKind, type FaultRun } from './fault-kind.ts';
import type { RealWorld } from './real-world.ts';

/** The outcome of one run: a row of the table. */
export interface KindResult {
  readonly seed: number;
  readonly steps: number;
  readonly faults: number;
  readonly requests: number;
  readonly calmPercent: number;
  readonly violations: number;
  readonly seconds: number;
}

const PAUSE_MS = 15;
/** All bounds of the checks are shorter. */
const SETTLE_MS = 7_000;
const MAX_WAIT_MS = 10_000;

/** Runs the plan of a seed over real processes, and checks every response meanwhile. */
export async function runKind<Run extends FaultRun>(
  kind: FaultKind<Run>,
  seed: number,
  minutes: number,
): Promise<KindResult> {
  const startedMs = performance.now();
  const plan = drawRealPlan(kind, seed, minutes);
  const run = await kind.start(seed);
  const { world } = run;
  try {
    await publishAll(world);
    await world.server.start();
    await world.startClients(CLIENTS);
    const lanes = startLanes(world, seed);
    await runPlan(kind, run, plan);
    await Bun.sleep(SETTLE_MS);
    await probe(world);
    world.isOver = true;
    await Promise.race([Promise.all(lanes), Bun.sleep(MAX_WAIT_MS)]);
    for (const client of world.clients) client.checkEnd();
    await checkDatabase(run);
  } finally {
    world.isOver = true;
    for (const { followers } of world.clients) for (const follower of followers) follower.stop();
    for (const bug of await world.server.stop('SIGTERM')) world.fail('no bug is logged', bug);
    world.close();
    await run.stop();
  }
  return {
    ...{ seed, steps: plan.length, faults: world.faultsInjected },
    ...{ requests: world.server.responses, calmPercent: world.calmPercent },
    violations: world.violations.length,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  };
}

/** Every record that changes concern is there at the start. */
async function publishAll(world: RealWorld): Promise<void> {
  const put = Array.from({ length: SLOTS }, (_, slot) => ({ slot }));
  for (const dataset of ['quotes', 'series'] as const)
    await world.publish({ dataset, put, retired: [] });
}

/** Begins each step at its time, or when those before it that concern the same have ended. */
async function runPlan<Run extends FaultRun>(
  { steps }: FaultKind<Run>,
  run: Run,
  plan: readonly Step[],
): Promise<void> {
  const { world } = run;
  const { scheduler } = world;
  const beganMs = scheduler.nowMs;
  const busy = new Map<string, Promise<unknown>>();
  for (const { atMs, kind, ...parameters } of plan) {
    const step = steps[kind];
    if (!step) continue;
    await Bun.sleep(Math.max(0, beganMs + atMs - scheduler.nowMs));
    const concerns = step.concerns(parameters);
    const before = concerns.map((name) => busy.get(name));
    const applied = Promise.all(before).then(async () => {
      const seconds = ((scheduler.nowMs - beganMs) / 1_000).toFixed(1);
      console.error(`  ${seconds} s ${kind} ${JSON.stringify(parameters)}`);
      try {
        const isDone = (await step.apply(run, parameters)) !== false;
        if (step.isFault && isDone) world.faultsInjected++;
      } catch (cause) {
        world.fail('steps end', `${kind}: ${(cause as Error).stack}`);
      }
    });
    for (const name of concerns) busy.set(name, applied);
  }
  await Promise.all(busy.values());
}

/** Clients that read all the time, each in its own way. */
function startLanes(world: RealWorld, seed: number): Promise<void>[] {
  return world.clients.map(async (client, index) => {
    const fail = (cause: Error) => world.fail('nothing throws', String(cause.stack));
    const follower = new EventFollower(client, 0);
    client.followers.push(follower);
    follower.run().catch(fail);
    const random = new Random(seed + index);
    for (; !world.isOver; await Bun.sleep(PAUSE_MS))
      await actByChance(client, random, { clients: CLIENTS, servers: 1 }).catch(fail);
  });
}

/** Everything succeeds after all faults have ended. */
async function probe({ clients }: RealWorld): Promise<void> {
  const random = new Random(0);
  const requests = clients.flatMap((client) =>
    QUERY_NAMES.map((name) =>
      client.request({ query: QUERIES[name](random), token: client.token, server: 0 }),
    ),
  );
  await Promise.all(requests);
}

async function checkDatabase({ world, checkedSettings }: FaultRun): Promise<void> {
  const settings = { ...world.server.settings, ...checkedSettings };
  const { status, out, err } = await runTenorProcess(['check', '--json'], settings);
  if (status !== 0) world.fail('the database has no faults', `${err}${out}`);
}
