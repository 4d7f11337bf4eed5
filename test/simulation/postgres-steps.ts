import { defineStep, type StepKinds, type WorldOptions } from './plan.ts';
import { PostgresDatabase } from './postgres-database.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { REWIND_MS } from './postgres-servers.ts';
import type { Random } from './random.ts';
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
    weight: isPostgres(2),
    isFault: true,
    draw: (random, options) => ({
      ...drawLasting(3_000)(random, options),
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
    weight: (options) => (options.databases > 1 ? isPostgres(1.2)(options) : 0),
    isFault: true,
    draw: (random, { databases }) => ({
      database: random.integer(0, databases - 1),
      laggedMs: random.isLikely(0.6) ? random.integer(50, 1_500) : 0,
      old: random.pickWeighted({ stays: 1, returns: 2, rewinds: 3 }),
      ms: random.integer(20, 2_500),
      acceptAfterMs: random.integer(20, 3_000),
    }),
    apply(world, promotion) {
      const { laggedMs } = promotion;
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
}

function promote(world: World, server: DatabaseServer, promotion: Promotion): void {
  const { old, ms, acceptAfterMs } = promotion;
  const database = getDatabase(world);
  const { servers } = database;
  const { primary } = servers;
  if (!server.isStandby || server.isDown || server.isHung) return;
  // A history that was given up, or that no operator knows to be, is not promoted.
  if (server.head.storeId !== primary.head.storeId) return;
  world.addFault('promote', ms + REWIND_MS + PROMOTED_MS);
  if (old !== 'stays') servers.stop(primary, ms);
  database.promote(server, acceptAfterMs);
  if (old === 'rewinds')
    world.scheduler.after(ms, 'rewind', () => {
      if (primary !== servers.primary) servers.rewind(primary);
    });
}

/** What becomes of a primary when another server is promoted. */
type OldPrimary = 'stays' | 'returns' | 'rewinds';
