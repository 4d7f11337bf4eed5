import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import type { ServerMonitor } from '../../src/http/monitoring/server-monitor.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { openStore, type ServerHealth, type Store } from '../../src/store/open-store.ts';
import { runSql } from './postgres/databases.ts';
import type { PostgresServer } from './postgres.ts';
import { reprice } from './priced-market.ts';
import { SERVER_SETTINGS } from './test-server.ts';

/** A service on PostgreSQL servers of a test. */
export interface PostgresTestServer {
  readonly address: string;
  readonly monitor: ServerMonitor;
  /** The store as another process would open it, to publish to. */
  readonly otherStore: Store;
  readonly events: readonly LogEvent[];
  /** Reported changes of health, by the index of the server. */
  readonly healthChanges: readonly { index: number; health: ServerHealth }[];
  stop(): Promise<void>;
}

/** Starts a server over a priced market on PostgreSQL: the primary and its replicas. */
export async function startPostgresTestServer(
  servers: readonly PostgresServer[],
  database: string,
  poolSize = 4,
): Promise<PostgresTestServer> {
  const [url = '', ...replicas] = servers.map((server) => server.url(database));
  const otherStore = await openStore(url, catalogue, { replicas });
  const reader = otherStore.reader();
  if ((await reader.revision()) === 0) await reprice(otherStore);
  reader.close();
  const healthChanges: { index: number; health: ServerHealth }[] = [];
  const store = await openStore(url, catalogue, {
    replicas,
    poolSize,
    onHealthChange(address, health) {
      const index = servers.findIndex(({ port }) => address.includes(`:${port}/`));
      healthChanges.push({ index, health });
    },
  });
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const { address, monitor, stop } = await startServer({
    store,
    catalogue,
    settings: SERVER_SETTINGS,
    emit,
    // As a worker among others, of which another one fits curves: that would take connections.
    onScrubNews: () => undefined,
  });
  return { address, monitor, otherStore, events, healthChanges, stop };
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
