import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { migrateStore } from '../../src/store/open-store.ts';
import { createDatabaseManager, runSql, withConnection } from './postgres/databases.ts';

/** Why nothing can be tested on a cluster; undefined where it can. */
export function explainMissingCitus(): string | undefined {
  return process.env.TENOR_TEST_CITUS
    ? undefined
    : 'TENOR_TEST_CITUS does not name the coordinator of a cluster (postgres://…)';
}

if (explainMissingCitus()) console.warn(`The Citus tests are skipped: ${explainMissingCitus()}.`);

/** A database on every machine of the cluster. */
export interface ClusterDatabase {
  readonly url: string;
  release(): Promise<void>;
}

/**
 * An empty database whose quotes are spread. Emptying one takes a tenth of the time of making one:
 * so they are kept, and used by the next test, or the next run.
 */
export async function acquireDistributedDatabase(): Promise<ClusterDatabase> {
  const url = idleUrls.pop() ?? (await acquireDatabase());
  await emptyDatabase(url);
  return { url, release: async () => void idleUrls.push(url) };
}

const idleUrls: string[] = [];
let lastNumber = 0;

/** A database that no other run uses now; made, where there is none. */
async function acquireDatabase(): Promise<string> {
  for (;;) {
    const name = `tenor_test_${++lastNumber}`;
    const [lock] =
      await getLockConnection()`SELECT pg_try_advisory_lock(hashtext(${name})) AS held`;
    if (!lock.held) continue;
    const [existing] = await getLockConnection()`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    return existing ? getUrl(name) : createDistributedDatabase(name);
  }
}

/** Locks last as long as the connection, which is kept as long as the process. */
function getLockConnection(): SQL {
  lockConnection ??= new SQL(getCoordinatorUrl(), {
    max: 1,
    idleTimeout: 0,
    connectionTimeout: 10,
  });
  return lockConnection;
}

let lockConnection: SQL | undefined;

async function createDistributedDatabase(name: string): Promise<string> {
  const url = await createClusterDatabase(name);
  // Enough for each machine to have several, few enough to be made in no time.
  await runSql(url, `ALTER DATABASE "${name}" SET citus.shard_count = 4`);
  await migrateStore(url, catalogue, { distribute: true });
  return url;
}

/** Makes an empty database with the extension on every machine, each of which knows the others. */
export async function createClusterDatabase(name: string): Promise<string> {
  await forEachNode(async (url, node) => {
    await runSql(url, `CREATE DATABASE "${name}"`);
    await runSql(node.url(name), 'CREATE EXTENSION citus');
  });
  const [first, ...workers] = await readNodes();
  await withConnection(getUrl(name), async (sql) => {
    await sql`SELECT citus_set_coordinator_host(${first?.host}, ${first?.port})`;
    for (const { host, port } of workers) await sql`SELECT citus_add_node(${host}, ${port})`;
  });
  return getUrl(name);
}

/** Removes a database from every machine. */
export async function dropClusterDatabase(name: string): Promise<void> {
  await forEachNode((_, node) => node.dropDatabase(node.url(name)));
}

async function forEachNode(
  callback: (url: string, node: ReturnType<typeof createDatabaseManager>) => Promise<void>,
): Promise<void> {
  await Promise.all(
    (await readNodes()).map(({ host, port }) => {
      const nodeUrl = new URL(getCoordinatorUrl());
      [nodeUrl.hostname, nodeUrl.port] = [host, String(port)];
      return callback(nodeUrl.href, createDatabaseManager(nodeUrl.href));
    }),
  );
}

/** The machines of the cluster, the coordinator first. */
async function readNodes(): Promise<readonly Node[]> {
  const sql = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid';
  return (await runSql(getCoordinatorUrl(), sql)) as unknown as readonly Node[];
}

interface Node {
  readonly host: string;
  readonly port: number;
}

function getCoordinatorUrl(): string {
  return process.env.TENOR_TEST_CITUS ?? '';
}

function getUrl(name: string): string {
  return createDatabaseManager(getCoordinatorUrl()).url(name);
}

/** Takes everything out but what no test changes. */
async function emptyDatabase(url: string): Promise<void> {
  await withConnection(url, async (sql) => {
    const tables = await sql`SELECT logicalrelid::text AS name FROM pg_dist_partition
      WHERE logicalrelid::text NOT IN ('secrets', 'tenor_schema')`;
    const names: string[] = [
      'tenor_unsettled',
      ...tables.map(({ name }: { name: string }) => name),
    ];
    const looks = names.map((name) => `EXISTS (SELECT 1 FROM ${name} LIMIT 1) AS ${name}`);
    const [filled] = await sql.unsafe(`SELECT ${looks.join(', ')}`);
    await sql.begin(async (transaction) => {
      for (const name of names) if (filled[name]) await transaction.unsafe(`DELETE FROM ${name}`);
    });
  });
}
