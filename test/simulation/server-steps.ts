import { ReadingClients } from './clients.ts';
import { defineStep, type StepKinds, type WorldOptions } from './plan.ts';
import { createToolQuery, QUERIES } from './queries.ts';
import type { Random } from './random.ts';
import type { SimulatedThread } from './simulated-thread.ts';
import type { World } from './world.ts';

export interface WorkerName {
  readonly server: number;
  readonly worker: number;
}

export const drawWorker = (random: Random, { servers, workers }: WorldOptions): WorkerName => ({
  server: random.integer(0, servers - 1),
  worker: random.integer(0, workers - 1),
});

const findWorker = ({ servers }: World, { server, worker }: WorkerName) =>
  servers[server]?.workers[worker];

/** How long a worker takes to start again, and to take up what was published meanwhile. */
const RESTART_FAULT_MS = 1_000;

const THREAD_END_MS = 100;
const THREAD_SLOW_MS = 1_000;

interface ThreadStep extends WorkerName {
  readonly client: number;
  readonly how: 'hangs' | 'dies' | 'is slow';
  readonly afterMs: number;
}

function disturbThread(
  world: World,
  thread: SimulatedThread | undefined,
  how: ThreadStep['how'],
): void {
  if (how === 'dies') {
    world.addFault('thread', THREAD_END_MS);
    thread?.end();
  } else if (how === 'hangs') {
    // It may be noticed much later, when a request needs it.
    thread?.hang(world.startFault('thread'));
  } else if (thread) {
    world.addFault('thread', THREAD_SLOW_MS);
    thread.process.stalledUntilMs = world.scheduler.nowMs + THREAD_SLOW_MS;
  }
}

/** Faults of workers and their machine. */
export const serverSteps: StepKinds = {
  kill: defineStep<WorkerName>({
    weight: () => 1,
    isFault: true,
    draw: drawWorker,
    apply(world, name) {
      world.addFault('kill', RESTART_FAULT_MS);
      world.servers[name.server]?.kill(name.worker);
    },
  }),
  stall: defineStep<WorkerName & { ms: number }>({
    weight: () => 0.6,
    isFault: true,
    draw: (random, options) => ({ ...drawWorker(random, options), ms: random.integer(20, 2_500) }),
    apply(world, { ms, ...name }) {
      const worker = findWorker(world, name);
      if (!worker) return;
      world.addFault('stall', ms);
      worker.process.stalledUntilMs = world.scheduler.nowMs + ms;
    },
  }),
  // A job for it comes just before.
  thread: defineStep<ThreadStep>({
    weight: () => 0.7,
    isFault: true,
    draw: (random, options) => ({
      ...drawWorker(random, options),
      client: random.integer(0, options.clients - 1),
      how: random.pick(['hangs', 'dies', 'is slow'] as const),
      afterMs: random.integer(0, 60),
    }),
    apply(world, { server, worker, client: index, how, afterMs }) {
      const query = QUERIES.export(world.scheduler.random);
      world
        .getPart(ReadingClients)
        .run(index, (client) => client.request({ query, token: client.token, server, worker }));
      world.scheduler.after(afterMs, 'thread fault', () =>
        disturbThread(world, findWorker(world, { server, worker })?.threads.at(-1), how),
      );
    },
  }),
  // A client needs the module meanwhile.
  import: defineStep<WorkerName & { client: number; ms: number }>({
    weight: () => 0.3,
    isFault: true,
    draw: (random, options) => ({
      ...drawWorker(random, options),
      client: random.integer(0, options.clients - 1),
      ms: random.integer(50, 2_500),
    }),
    apply(world, { client: index, ms, ...name }) {
      const server = world.servers[name.server];
      if (!server) return;
      // An import that has begun takes a while.
      world.addFault('import', ms + 300);
      server.isImportFailing = true;
      world.scheduler.after(ms, 'import ends', () => {
        server.isImportFailing = false;
      });
      world
        .getPart(ReadingClients)
        .run(index, (client) =>
          client.request({ query: createToolQuery(), token: client.token, ...name }),
        );
    },
  }),
  clock: defineStep<{ ms: number }>({
    weight: () => 0.4,
    isFault: true,
    draw: (random) => ({ ms: random.integer(-20_000, 20_000) }),
    apply(world, { ms }) {
      world.clockChangeMs += Math.abs(ms);
      world.scheduler.clockOffsetMs += ms;
    },
  }),
};
