import { allowsRole, formatPublicAddress } from '../../../shared/postgres-url.ts';
import { StoreUnavailableError, StoreUnusableError } from '../../errors.ts';
import type { OnServerHealthChange, ServerStatus } from '../../server-status.ts';
import type { PoolOptions } from '../connection-pool.ts';
import { createHealthReporter } from './health-reporter.ts';
import { ReplicationState } from './replication-state.ts';
import { PostgresServer } from './server.ts';

/** The servers of one store: a primary and its replicas. */
export interface ServerPool {
  newestRevision(): Promise<number>;
  /** Reads from a healthy server, replicas first, and from the next one where it is unavailable. */
  read<T>(read: (server: PostgresServer, newest: number) => Promise<T>): Promise<T>;
  /** A response of a server was from this revision: no later response is from an older one. */
  recordRevision(server: PostgresServer, revision: number): void;
  newestSeen(): number;
  /** Identifies the store and its history; undefined before the first heartbeat. */
  storeId(): string | undefined;
  /** The newest revision that an operator has given up, in an earlier history; 0 where none. */
  lostRevision(): number;
  /** Every server, by its last heartbeat. */
  listServers(): readonly ServerStatus[];
  /** Another pool saw this revision. */
  observeRevision(revision: number): void;
  getPrimary(): Promise<PostgresServer>;
  close(): void;
}

/** A read may have several statements, each of at most ten seconds. */
const READ_TIMEOUT_MS = 25_000;
/** A read that failed after this long is not retried. */
const RETRY_WINDOW_MS = 2_000;

/** Connects to the servers of the URLs; the first is the primary unless a replica was promoted. */
export function createServerPool(
  urls: readonly string[],
  options: PoolOptions,
  onHealthChange: OnServerHealthChange = () => {},
): ServerPool {
  const state = new ReplicationState();
  const isHealthy = (server: PostgresServer) =>
    state.getHealth(server) === 'fit' && hasAllowedRole(server);
  const isPrimary = (server: PostgresServer) => isHealthy(server) && !server.heartbeat?.isStandby;
  const reportHealth = createHealthReporter(state, onHealthChange);
  const createServer = (url: string, index: number) =>
    new PostgresServer(
      url,
      options,
      () => state.getHeartbeatQuery(),
      (server) => {
        state.recordHeartbeat(server, index === 0);
        reportHealth(server);
      },
    );
  const servers = urls.map(createServer);
  const ready = resolvePrimary(state, servers);
  const nextReadOrder = createRoundRobin(servers);

  /** The healthy servers. If there are none, lagging ones may have caught up since. */
  const findReadable = async (): Promise<PostgresServer[]> => {
    await ready;
    const healthy = nextReadOrder().filter(isHealthy);
    const lagging = servers.filter((server) => state.getHealth(server) === 'behind');
    if (healthy.length > 0 || lagging.length === 0) return healthy;
    await sendHeartbeats(lagging);
    return nextReadOrder().filter(isHealthy);
  };
  return {
    async newestRevision() {
      await ready;
      await servers.find(isPrimary)?.sendHeartbeat();
      if ((await findReadable()).length === 0) throw createNoServerError(servers, state);
      return state.newestRevision;
    },
    async read(read) {
      const readable = await findReadable();
      if (readable.length === 0) throw createNoServerError(servers, state);
      return readWithRetry(readable, (server) => read(server, state.newestRevision));
    },
    recordRevision(server, revision) {
      server.recordRevision(revision);
      state.recordRevision(revision);
    },
    newestSeen: () => state.newestRevision,
    storeId: () => state.storeId,
    lostRevision: () => state.lostRevision,
    listServers: () => servers.map((server) => describeServer(server, state)),
    observeRevision: (revision) => state.recordRevision(revision),
    async getPrimary() {
      await ready;
      if (!servers.some(isPrimary)) await sendHeartbeats(servers);
      const primary = servers.find(isPrimary);
      if (primary) return primary;
      throw servers.some(isHealthy)
        ? new StoreUnavailableError(NO_PRIMARY_MESSAGE)
        : createNoServerError(servers, state);
    },
    close() {
      for (const server of servers) server.close();
    },
  };
}

function describeServer(server: PostgresServer, state: ReplicationState): ServerStatus {
  const { url, heartbeat, lastRole } = server;
  return {
    server: formatPublicAddress(url),
    role: lastRole,
    health: state.getHealth(server),
    lag: heartbeat && Math.max(0, state.newestRevision - heartbeat.revision),
  };
}

const NO_PRIMARY_MESSAGE =
  'the server that takes what is published does not answer; those that do only follow it';

async function readWithRetry<T>(
  servers: readonly PostgresServer[],
  read: (server: PostgresServer) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  let error: unknown;
  const queue = [...servers];
  for (let server = queue.shift(); server; server = queue.shift()) {
    try {
      return await withReadTimeout(server, read(server));
    } catch (cause) {
      error = toUnavailableError(cause);
      if (error === undefined) throw cause;
      if (performance.now() - startedMs > RETRY_WINDOW_MS) break;
      if (server.reconnectIfPooler(cause)) queue.unshift(server);
    }
  }
  throw error;
}

/** What was usable at the start may be again: a certificate, a password or a privilege. */
function toUnavailableError(cause: unknown): StoreUnavailableError | undefined {
  if (cause instanceof StoreUnavailableError) return cause;
  return cause instanceof StoreUnusableError
    ? new StoreUnavailableError(cause.message, { cause })
    : undefined;
}

async function sendHeartbeats(servers: readonly PostgresServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.sendHeartbeat()));
}

/** Orders servers for each read: replicas in turn, then the first server. */
function createRoundRobin([first, ...replicas]: readonly PostgresServer[]) {
  let roundRobinIndex = 0;
  return (): PostgresServer[] => {
    const start = replicas.length === 0 ? 0 : roundRobinIndex++ % replicas.length;
    return [...replicas.slice(start), ...replicas.slice(0, start), ...(first ? [first] : [])];
  };
}

/** Waits for the first heartbeats. If several servers accept writes, the right one is found. */
async function resolvePrimary(
  state: ReplicationState,
  servers: readonly PostgresServer[],
): Promise<void> {
  await sendHeartbeats(servers);
  if (!state.hasSeveralPrimaries) return;
  // Finds which was promoted last; then its history; then which servers share that history.
  for (const shouldReset of [true, true, false]) {
    if (shouldReset) state.reset();
    await sendHeartbeats(servers);
  }
}

/** A late read fails; if no other read has succeeded either, the pool's connections are dead. */
async function withReadTimeout<T>(server: PostgresServer, response: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    if (performance.now() - server.lastResponseMs > READ_TIMEOUT_MS / 2) server.recreatePool();
    late.reject(new StoreUnavailableError('it took too long'));
  }, READ_TIMEOUT_MS);
  try {
    const result = await Promise.race([response, late.promise]);
    server.lastResponseMs = performance.now();
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a server is a primary or a standby as its URL wants it to be. */
function hasAllowedRole({ url, heartbeat }: PostgresServer): boolean {
  return heartbeat !== undefined && allowsRole(url, heartbeat.isStandby ? 'standby' : 'primary');
}

function createNoServerError(
  servers: readonly PostgresServer[],
  state: ReplicationState,
): StoreUnavailableError {
  const { newestRevision } = state;
  const reachable = servers.filter(({ heartbeat }) => heartbeat);
  if (reachable.length === 0) return new StoreUnavailableError('no server answers');
  if (!reachable.some(hasAllowedRole))
    return new StoreUnavailableError('no server has the role that target_session_attrs asks for');
  return new StoreUnavailableError(
    `no server has revision ${newestRevision}, which was seen; where it is lost for good: tenor migrate --accept-loss ${newestRevision}`,
  );
}
