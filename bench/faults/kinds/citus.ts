import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { migrateStore } from '../../../src/store/open-store.ts';
import {
  defineRealStep,
  type FaultKind,
  type FaultRun,
  publish,
  serverSteps,
} from '../fault-kind.ts';
import { publishOlderQuotes } from '../older-quotes.ts';
import { createPostgresPublishing } from '../postgres-publishing.ts';
import { RealWorld } from '../real-world.ts';
import { type Cluster, type ClusterNode, NODE_HOST, startCluster } from './citus-cluster.ts';

/** Exports are to take long enough for shards to move under them. */
const DAYS = 200;
const NODES = 2;
const MAX_DRAINS = 5;
/** Where Debian and Red Hat have PostgreSQL. */
const LIBRARIES = ['/usr/lib/postgresql/*/lib/citus.so', '/usr/pgsql-*/lib/citus.so'];

interface CitusRun extends FaultRun {
  readonly cluster: Cluster;
}

/** Nodes of a cluster that are drained and filled again, hang and die. */
export const citus: FaultKind<CitusRun> = {
  explainMissing: () =>
    findPrograms() === undefined ? `there is no ${LIBRARIES.join(', nor ')}` : undefined,
  steps: {
    publish,
    ...serverSteps,
    drain: defineNodeStep(1.5, 0, async (node, _, { cluster }) => {
      await drain(cluster, node);
      await rebalance(cluster, node);
    }),
    'hang node': defineNodeStep(1, 8_000, (node, ms, { world }) =>
      world.disturb('hang node', async () => {
        await node.pause();
        await Bun.sleep(ms);
        node.resume();
      }),
    ),
    'kill node': defineNodeStep(1, 8_000, (node, ms, { world }) =>
      world.disturb('kill node', async () => {
        await node.kill();
        await Bun.sleep(ms);
        await node.start();
      }),
    ),
  },
  async start(seed) {
    const cluster = await startCluster(findPrograms() ?? '');
    await migrateStore(cluster.url, catalogue, { distribute: true });
    const first = await publishOlderQuotes(cluster.url, DAYS);
    const publishing = await createPostgresPublishing(cluster.url);
    const world = new RealWorld(seed, { DATABASE_URL: cluster.url }, publishing, first);
    return { world, cluster, stop: cluster.stop };
  },
};

function findPrograms(): string | undefined {
  const [library] = LIBRARIES.flatMap((pattern) => globSync(pattern));
  return library && join(dirname(library), '../bin');
}

function defineNodeStep(
  weight: number,
  maxMs: number,
  apply: (node: ClusterNode, ms: number, run: CitusRun) => Promise<void>,
) {
  return defineRealStep<CitusRun, { readonly node: number; readonly ms: number }>({
    weight: () => weight,
    isFault: true,
    draw: (random) => ({ node: random.integer(0, NODES - 1), ms: random.integer(0, maxMs) }),
    concerns: () => ['nodes'],
    async apply(run, { node: index, ms }) {
      const node = run.cluster.workers[index];
      if (node) await apply(node, ms, run);
    },
  });
}

/** Citus ends it where it waits for a publication that waits for it. */
async function drain({ query }: Cluster, { port }: ClusterNode): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query(`SELECT citus_drain_node('${NODE_HOST}', ${port}, 'block_writes')`);
      return;
    } catch (cause) {
      if (attempt === MAX_DRAINS || !/deadlock/.test((cause as Error).message)) throw cause;
    }
  }
}

async function rebalance({ query }: Cluster, { port }: ClusterNode): Promise<void> {
  await query(`SELECT citus_set_node_property('${NODE_HOST}', ${port}, 'shouldhaveshards', true)`);
  await query("SELECT citus_rebalance_start(shard_transfer_mode => 'block_writes')");
  await query('SELECT citus_rebalance_wait()');
}
