import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { migrateStore } from '../../src/store/open-store.ts';
import { ask, connected, databasesAt } from './postgres/databases.ts';

/** Why nothing can be tested on a cluster; undefined where it can. */
export function citusAbsent(): string | undefined {
  return process.env.TENOR_TEST_CITUS
    ? undefined
    : 'TENOR_TEST_CITUS does not name the coordinator of a cluster (postgres://…)';
}

if (citusAbsent()) console.warn(`The Citus tests are skipped: ${citusAbsent()}.`);

/** A database on every machine of the cluster. */
export interface ClusterDatabase {
  readonly url: string;
  giveBack(): Promise<void>;
}

/**
 * An empty database whose quotes are spread. Emptying one takes a tenth of the time of making one:
 * so they are kept, and used by the next test, or the next run.
 */
export async function distributedDatabase(): Promise<ClusterDatabase> {
  const url = idle.pop() ?? (await another());
  await emptied(url);
  return { url, giveBack: async () => void idle.push(url) };
}

const idle: string[] = [];
let taken = 0;

/** A database that no other run uses now; made, where there is none. */
async function another(): Promise<string> {
  for (;;) {
    const name = `tenor_test_${++taken}`;
    const [lock] = await locks()`SELECT pg_try_advisory_lock(hashtext(${name})) AS held`;
    if (!lock.held) continue;
    const [known] = await locks()`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    return known ? urlOf(name) : distributed(name);
  }
}

/** Locks last as long as the connection, which is kept as long as the process. */
function locks(): SQL {
  lockConnection ??= new SQL(coordinator(), { max: 1, idleTimeout: 0, connectionTimeout: 10 });
  return lockConnection;
}

let lockConnection: SQL | undefined;

async function distributed(name: string): Promise<string> {
  const url = await clusterDatabase(name);
  // Enough for each machine to have several, few enough to be made in no time.
  await ask(url, `ALTER DATABASE "${name}" SET citus.shard_count = 4`);
  await migrateStore(url, catalogue, { distribute: true });
  return url;
}

/** Makes an empty database with the extension on every machine, each of which knows the others. */
export async function clusterDatabase(name: string): Promise<string> {
  await forEachNode(async (url, node) => {
    await ask(url, `CREATE DATABASE "${name}"`);
    await ask(node.url(name), 'CREATE EXTENSION citus');
  });
  const [first, ...workers] = await nodes();
  await connected(urlOf(name), async (sql) => {
    await sql`SELECT citus_set_coordinator_host(${first?.host}, ${first?.port})`;
    for (const { host, port } of workers) await sql`SELECT citus_add_node(${host}, ${port})`;
  });
  return urlOf(name);
}

/** Removes a database from every machine. */
export async function dropClusterDatabase(name: string): Promise<void> {
  await forEachNode((_, node) => node.dropDatabase(node.url(name)));
}

async function forEachNode(
  callback: (url: string, node: ReturnType<typeof databasesAt>) => Promise<void>,
): Promise<void> {
  await Promise.all(
    (await nodes()).map(({ host, port }) => {
      const at = new URL(coordinator());
      [at.hostname, at.port] = [host, String(port)];
      return callback(at.href, databasesAt(at.href));
    }),
  );
}

/** The machines of the cluster, the coordinator first. */
async function nodes(): Promise<readonly Node[]> {
  const sql = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid';
  return (await ask(coordinator(), sql)) as unknown as readonly Node[];
}

interface Node {
  readonly host: string;
  readonly port: number;
}

function coordinator(): string {
  return process.env.TENOR_TEST_CITUS ?? '';
}

function urlOf(name: string): string {
  return databasesAt(coordinator()).url(name);
}

/** Takes everything out but what no test changes. */
async function emptied(url: string): Promise<void> {
  await connected(url, async (sql) => {
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
