import { type ReadingClient, ReadingClients } from './clients.ts';
import { drawChange, type SimulatedChange } from './model.ts';
import { defineStep, type StepKinds, type WorldOptions } from './plan.ts';
import { PostgresDatabase } from './postgres-database.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { REWIND_MS } from './postgres-servers.ts';
import { QUERIES } from './queries.ts';
import type { Random } from './random.ts';
import { drawWorker, type WorkerName } from './server-steps.ts';
import type { World } from './world.ts';

interface ServerNumber {
  /** The number of a server; -1 is the one that is the primary then. */
  readonly database: number;
}

interface Lasting extends ServerNumber {
  readonly ms: number;
}

const isPostgres =
  (weight: number) =>
  ({ engine }: WorldOptions) =>
    engine === 'postgres' ? weight : 0;

const drawServer = (random: Random, { databases }: WorldOptions): ServerNumber => ({
  database: random.integer(-1, databases - 1),
});

const drawLasting =
  (maxMs: number) =>
  (random: Random, options: WorldOptions): Lasting => ({
    ...drawServer(random, options),
    ms: random.integer(20, maxMs),
  });

function getDatabase({ database }: World): PostgresDatabase {
  if (!(database instanceof PostgresDatabase)) throw new Error('the database has no servers');
  return database;
}

function findServer(world: World, { database }: ServerNumber): DatabaseServer {
  const { servers } = getDatabase(world);
  return servers.servers[database] ?? servers.primary;
}

/** How long servers take to find the primary after a promotion. */
const PROMOTED_MS = 1_000;

/** Faults of database servers and of replication. */
export const postgresSteps: StepKinds = {
  lag: defineStep<Lasting & { lagMs: number }>({
    weight: (options) => (options.databases > 1 ? isPostgres(2)(options) : 0),
    isFault: true,
    draw: (random, options) => ({
      // The first one is the primary at the start, which has nothing to wait for.
      database: random.integer(random.isLikely(0.8) ? 1 : 0, options.databases - 1),
      ms: random.integer(20, 3_000),
      lagMs: random.integer(50, 2_000),
    }),
    apply(world, { lagMs, ms, ...number }) {
      const server = findServer(world, number);
      world.addFault('lag', ms + lagMs);
      getDatabase(world).servers.lag(server, lagMs, ms);
    },
  }),
  hang: defineStep<Lasting>({
    weight: isPostgres(1.5),
    isFault: true,
    draw: drawLasting(5_000),
    apply(world, { ms, ...number }) {
      world.addFault('hang', ms);
      getDatabase(world).servers.hang(findServer(world, number), ms);
    },
  }),
  stop: defineStep<Lasting>({
    weight: isPostgres(1.5),
    isFault: true,
    draw: drawLasting(2_500),
    apply(world, { ms, ...number }) {
      world.addFault('stop', ms);
      getDatabase(world).servers.stop(findServer(world, number), ms);
    },
  }),
  'slow network': defineStep<Lasting & { messageMs: number }>({
    weight: isPostgres(1),
    isFault: true,
    draw: (random, options) => ({
      ...drawLasting(2_000)(random, options),
      messageMs: random.integer(10, 400),
    }),
    apply(world, { ms, messageMs, ...number }) {
      world.addFault('slow network', ms + 2 * messageMs);
      getDatabase(world).servers.slow(findServer(world, number), messageMs, ms);
    },
  }),
  'failed statements': defineStep<ServerNumber & { count: number }>({
    weight: isPostgres(1),
    isFault: true,
    draw: (random, options) => ({
      ...drawServer(random, options),
      count: random.integer(1, 5),
    }),
    apply(world, { count, ...number }) {
      world.addFault('failed statements', 1_000);
      findServer(world, number).failures += count;
    },
  }),
  promote: defineStep<Promotion>({
    weight: (options) => (options.databases > 1 ? isPostgres(1.8)(options) : 0),
    isFault: true,
    draw: (random, options) => ({
      database: random.integer(0, options.databases - 1),
      laggedMs: random.isLikely(0.6) ? random.integer(50, 1_500) : 0,
      old: random.pickWeighted({ stays: 1, returns: 2, rewinds: 3 }),
      ms: random.integer(20, 2_500),
      acceptAfterMs: random.integer(20, 3_000),
      ...(random.isLikely(0.3) && { movesAddress: true }),
      ...(random.isLikely(0.4) && {
        stalled: { ...drawWorker(random, options), ms: random.integer(1_000, 3_500) },
      }),
      published: Array.from({ length: random.integer(0, 3) }, () => ({
        afterMs: random.integer(-300, 300),
        change: drawChange(random),
      })),
    }),
    apply(world, promotion) {
      const { laggedMs, published = [], stalled } = promotion;
      if (stalled) readAround(world, laggedMs, stalled);
      for (const { afterMs, change } of published)
        world.scheduler.after(Math.max(0, laggedMs + afterMs), 'publish', () =>
          world.database.publish(change),
        );
      const server = findServer(world, promotion);
      if (laggedMs === 0) return promote(world, server, promotion);
      world.addFault('lag', laggedMs);
      getDatabase(world).servers.lag(server, Number.POSITIVE_INFINITY, laggedMs);
      world.scheduler.after(laggedMs, 'promote', () => promote(world, server, promotion));
    },
  }),
};

interface Promotion extends ServerNumber {
  /** How long it gets nothing before: that is lost. */
  readonly laggedMs: number;
  readonly old: OldPrimary;
  /** How long the old primary is away. */
  readonly ms: number;
  readonly acceptAfterMs: number;
  /** Whether the address of the old primary leads to the new one from then on. */
  readonly movesAddress?: boolean;
  /** A worker that is read from before and after, and sees nothing of it. */
  readonly stalled?: WorkerName & { readonly ms: number };
  /** Publications around it. */
  readonly published?: readonly { readonly afterMs: number; readonly change: SimulatedChange }[];
}

function promote(world: World, server: DatabaseServer, promotion: Promotion): void {
  const { old, ms, acceptAfterMs, movesAddress, stalled } = promotion;
  const database = getDatabase(world);
  const { servers } = database;
  const { primary } = servers;
  if (!server.isStandby || server.isDown || server.isHung) return;
  // A history that was given up, or that no operator knows to be, is not promoted.
  if (server.head.storeId !== primary.head.storeId) return;
  world.addFault('promote', ms + REWIND_MS + PROMOTED_MS);
  if (stalled) world.apply('stall', stalled);
  if (old !== 'stays') servers.stop(primary, ms);
  database.promote(server, acceptAfterMs);
  if (movesAddress) servers.exchangeAddresses(primary, server);
  if (old === 'rewinds')
    world.scheduler.after(ms, 'rewind', () => {
      if (primary !== servers.primary) servers.rewind(primary);
    });
}

/** When a worker that stalls is read from, by when it stalls. */
const READ_AFTER_MS = [-150, -50, 300, 900];

function readAround(world: World, stallsAfterMs: number, { server, worker }: WorkerName): void {
  const { scheduler } = world;
  const clients = world.getPart(ReadingClients);
  const read = (client: ReadingClient) => {
    const query = QUERIES.range(scheduler.random);
    return client.request({ query, token: client.token, server, worker });
  };
  for (const afterMs of READ_AFTER_MS)
    scheduler.after(Math.max(0, stallsAfterMs + afterMs), 'read', () => clients.run(0, read));
}

/** What becomes of a primary when another server is promoted. */
type OldPrimary = 'stays' | 'returns' | 'rewinds';
