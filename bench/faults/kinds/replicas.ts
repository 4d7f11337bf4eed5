import { runSql } from '../../../test/support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../../test/support/postgres.ts';
import {
  defineRealStep,
  type FaultKind,
  type FaultRun,
  publish,
  type RealStep,
  serverSteps,
} from '../fault-kind.ts';
import { publishOlderQuotes } from '../older-quotes.ts';
import { createPostgresPublishing } from '../postgres-publishing.ts';
import { RealWorld } from '../real-world.ts';

const DATABASE = 'tenor';
const STANDBYS = 2;
const DAYS = 20;
const SETTINGS = { wal_retrieve_retry_interval: '100ms', wal_keep_size: '512MB' };

/** A primary and two standbys. */
interface ReplicasRun extends FaultRun {
  readonly primary: PostgresServer;
  readonly standbys: readonly PostgresServer[];
  /** The standby that is the primary now. */
  promoted: PostgresServer | undefined;
}

/** Standbys that lag, hang, die and are promoted, and a primary that hangs and dies. */
export const replicas: FaultKind<ReplicasRun> = {
  explainMissing: explainMissingBinaries,
  steps: {
    publish,
    ...serverSteps,
    'pause replay': defineStandbyStep(1, async (standby, ms) => {
      await standby.pauseReplay();
      await Bun.sleep(ms);
      await standby.resumeReplay();
    }),
    lag: defineStandbyStep(1, async (standby, ms) => {
      await setDelay(standby, `${Math.ceil(ms / 4)}ms`);
      await Bun.sleep(ms);
      await setDelay(standby, '0');
    }),
    'hang standby': defineStandbyStep(1, (standby, ms, { world }) =>
      world.disturb('hang standby', () => hang(standby, ms)),
    ),
    'kill standby': defineStandbyStep(0.7, (standby, ms, { world }) =>
      world.disturb('kill standby', () => restart(standby, ms)),
    ),
    'hang primary': definePrimaryStep((primary, ms) => hang(primary, ms)),
    'kill primary': definePrimaryStep((primary, ms) => restart(primary, ms)),
    promote: defineRealStep<ReplicasRun, { readonly standby: number }>({
      weight: () => 0,
      isFault: true,
      draw: (random) => ({ standby: random.integer(0, STANDBYS - 1) }),
      concerns: () => ['publications', 'primary', 'standby 0', 'standby 1'],
      apply: (run, { standby }) => promote(run, standby),
    }),
  },
  once: { kind: 'promote', after: 0.7 },
  start,
};

async function start(seed: number): Promise<ReplicasRun> {
  const primary = await startPostgres({ settings: SETTINGS });
  const url = await primary.createDatabase(DATABASE);
  const first = await publishOlderQuotes(url, DAYS);
  const standbys = [await primary.standby(), await primary.standby()];
  const urls = standbys.map((standby) => standby.url(DATABASE));
  const settings = { DATABASE_URL: url, DATABASE_REPLICAS: urls.join() };
  const publishing = await createPostgresPublishing(url, urls);
  return {
    world: new RealWorld(seed, settings, publishing, first),
    ...{ primary, standbys, promoted: undefined },
    async stop() {
      await Promise.all([primary, ...standbys].map((server) => server.stop()));
    },
  };
}

function defineStandbyStep(
  weight: number,
  apply: (standby: PostgresServer, ms: number, run: ReplicasRun) => Promise<void>,
): RealStep<ReplicasRun> {
  return defineRealStep<ReplicasRun, { readonly standby: number; readonly ms: number }>({
    weight: () => weight,
    isFault: true,
    draw: (random) => ({
      standby: random.integer(0, STANDBYS - 1),
      ms: random.integer(200, 5_000),
    }),
    concerns: ({ standby }) => [`standby ${standby}`],
    async apply(run, { standby: index, ms }) {
      const standby = run.standbys[index];
      if (!standby || standby === run.promoted) return false;
      return apply(standby, ms, run);
    },
  });
}

function definePrimaryStep(
  apply: (primary: PostgresServer, ms: number) => Promise<void>,
): RealStep<ReplicasRun> {
  return defineRealStep<ReplicasRun, { readonly ms: number }>({
    weight: () => 0.5,
    isFault: true,
    draw: (random) => ({ ms: random.integer(200, 3_000) }),
    concerns: () => ['primary'],
    apply: ({ world, primary, promoted }, { ms }) =>
      world.disturb('primary', () => apply(promoted ?? primary, ms)),
  });
}

async function hang(server: PostgresServer, ms: number): Promise<void> {
  await server.pause();
  await Bun.sleep(ms);
  await server.resume();
}

async function restart(server: PostgresServer, ms: number): Promise<void> {
  await server.kill();
  await Bun.sleep(ms);
  await server.restart();
}

async function setDelay(standby: PostgresServer, delay: string): Promise<void> {
  await configure(standby, { recovery_min_apply_delay: delay });
}

async function configure(
  server: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await runSql(server.url(), `ALTER SYSTEM SET ${name} = '${value}'`);
  await runSql(server.url(), 'SELECT pg_reload_conf()');
}

/**
 * The primary is killed for good when a standby has all of its revisions; that one is promoted, and the
 * other one follows it.
 */
async function promote(run: ReplicasRun, index: number): Promise<void> {
  const { world, primary, standbys } = run;
  const [standby, other] = [standbys[index], standbys[1 - index]];
  if (!standby || !other) return;
  const { revision } = world.database.newest;
  const hasAll = `SELECT max(revision) >= ${revision} AS yes FROM revisions`;
  while (!(await runSql(standby.url(DATABASE), hasAll))[0]?.yes) await Bun.sleep(50);
  await world.disturb('promote', async () => {
    await primary.kill();
    await standby.promote();
    run.promoted = standby;
    run.checkedSettings = {
      DATABASE_URL: standby.url(DATABASE),
      DATABASE_REPLICAS: other.url(DATABASE),
    };
    await configure(other, {
      primary_conninfo: `host=127.0.0.1 port=${standby.port} user=postgres`,
      primary_slot_name: '',
    });
  });
}
