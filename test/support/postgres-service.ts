import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/start-server.ts';
import type { ServerHealth, Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runSql } from './postgres/databases.ts';
import type { PostgresServer } from './postgres.ts';
import { reprice } from './priced-market.ts';
import { TOKEN } from './test-server.ts';

/** A service on PostgreSQL servers of a test. */
export interface PostgresTestServer {
  readonly address: string;
  /** The store as another machine would open it, to publish into. */
  readonly otherStore: Store;
  readonly events: readonly LogEvent[];
  /** What was told of servers, by their place in the list, with when. */
  readonly healthChanges: readonly { at: number; condition: ServerHealth; ms: number }[];
  stop(): Promise<void>;
}

/** Starts a service over a priced market on servers, the first of which the others follow. */
export async function startPostgresTestServer(
  servers: readonly PostgresServer[],
  database: string,
  poolSize = 4,
): Promise<PostgresTestServer> {
  const [url = '', ...replicas] = servers.map((server) => server.url(database));
  const elsewhere = await openStore(url, catalogue, { replicas });
  const reader = elsewhere.reader();
  if ((await reader.revision()) === 0) await reprice(elsewhere);
  reader.close();
  const conditions: { at: number; condition: ServerHealth; ms: number }[] = [];
  const onCondition = (address: string, condition: ServerHealth) => {
    const at = servers.findIndex(({ port }) => address.includes(`:${port}/`));
    conditions.push({ at, condition, ms: performance.now() });
  };
  const store = await openStore(url, catalogue, {
    replicas,
    poolSize,
    onHealthChange: onCondition,
  });
  const events: LogEvent[] = [];
  const settings = { host: '127.0.0.1', port: 0, apiToken: TOKEN, rateLimit: null };
  const emit = (event: LogEvent) => events.push(event);
  const listening = await startServer({ store, catalogue, settings, emit });
  return {
    address: listening.address,
    otherStore: elsewhere,
    events,
    healthChanges: conditions,
    stop: listening.stop,
  };
}

/** How many connections Tenor has to a database, counted on the server. */
export async function countConnections(url: string): Promise<number> {
  const counter = createConnectionCounter(url);
  try {
    return await counter.count();
  } finally {
    await counter.close();
  }
}

/** Counts again and again on one connection. */
export function createConnectionCounter(url: string) {
  const sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  return {
    async count(): Promise<number> {
      const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE application_name = 'tenor' AND datname = current_database()`;
      return row.count;
    },
    close: () => sql.close(),
  };
}

/** How many transactions a server has ended on a database, reads included. */
export async function countCommits(url: string): Promise<number> {
  const sql = `SELECT xact_commit::int AS count FROM pg_stat_database
    WHERE datname = current_database()`;
  return Number((await runSql(url, sql))[0]?.count);
}

/** The newest revision that a server itself has. */
export async function readNewestRevision(url: string): Promise<unknown> {
  return (await runSql(url, 'SELECT max(revision) AS newest FROM revisions'))[0]?.newest;
}

/** Who made the last three revisions that a server has. */
export async function readLastAuthors(url: string): Promise<unknown[]> {
  const sql = 'SELECT author FROM revisions ORDER BY revision DESC LIMIT 3';
  return (await runSql(url, sql)).map(({ author }) => author);
}
