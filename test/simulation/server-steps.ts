import { defineStep, type StepKinds, type WorldOptions } from './plan.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

interface WorkerName {
  readonly server: number;
  readonly worker: number;
}

const drawWorker = (random: Random, { servers, workers }: WorldOptions): WorkerName => ({
  server: random.integer(0, servers - 1),
  worker: random.integer(0, workers - 1),
});

const findWorker = ({ servers }: World, { server, worker }: WorkerName) =>
  servers[server]?.workers[worker];

/** How long a worker takes to start again, and to take up what was published meanwhile. */
const RESTART_FAULT_MS = 1_000;

const THREAD_END_MS = 100;
const THREAD_SLOW_MS = 1_000;

/** Faults of workers and their machine. */
export const serverSteps: StepKinds = {
  kill: defineStep<WorkerName>({
    weight: () => 0.6,
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
  thread: defineStep<WorkerName & { how: 'hangs' | 'dies' | 'is slow' }>({
    weight: () => 0.5,
    isFault: true,
    draw: (random, options) => ({
      ...drawWorker(random, options),
      how: random.pick(['hangs', 'dies', 'is slow'] as const),
    }),
    apply(world, { how, ...name }) {
      const thread = findWorker(world, name)?.threads.at(-1);
      if (!thread) return;
      if (how === 'dies') {
        world.addFault('thread', THREAD_END_MS);
        thread.end();
      } else if (how === 'hangs') {
        // It may be noticed much later, when a request needs it.
        const endFault = world.startFault('thread');
        thread.hang(endFault);
      } else {
        world.addFault('thread', THREAD_SLOW_MS);
        thread.process.stalledUntilMs = world.scheduler.nowMs + THREAD_SLOW_MS;
      }
    },
  }),
  import: defineStep<{ server: number; ms: number }>({
    weight: () => 0.25,
    isFault: true,
    draw: (random, { servers }) => ({
      server: random.integer(0, servers - 1),
      ms: random.integer(50, 2_500),
    }),
    apply(world, { server: index, ms }) {
      const server = world.servers[index];
      if (!server) return;
      // An import that has begun takes a while.
      world.addFault('import', ms + 300);
      server.isImportFailing = true;
      world.scheduler.after(ms, 'import ends', () => {
        server.isImportFailing = false;
      });
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
