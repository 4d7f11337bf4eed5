import { withTimeout } from '../../../shared/awaitable.ts';
import { formatPublicAddress } from '../../../shared/postgres-url.ts';
import { system } from '../../../shared/system.ts';
import { ServerBehindError, StoreUnavailableError, StoreUnusableError } from '../../errors.ts';
import type { OnServerHealthChange, ServerStatus } from '../../server-status.ts';
import type { PoolOptions } from '../connection-pool.ts';
import { createHealthReporter } from './health-reporter.ts';
import { HEARTBEAT_INTERVAL_MS } from './heartbeat.ts';
import { ReplicationState } from './replication-state.ts';
import { PostgresServer } from './server.ts';

/** A read may have several statements, each of at most ten seconds. */
const READ_TIMEOUT_MS = 25_000;
/** A read that failed after this long is not retried. */
const RETRY_WINDOW_MS = 2_000;
/** How often servers are looked for if all are behind: heartbeats in progress may be old. */
const MAX_ROUNDS = 3;
/** After that the process did not run for a while; no server is replaced by another in less time. */
const MAX_HEARTBEAT_AGE_MS = 2 * HEARTBEAT_INTERVAL_MS;

/**
 * The servers of one store: a primary and its replicas. The first of the URLs is that of the primary,
 * unless a replica was promoted.
 */
export class ServerPool {
  /** What the heartbeats have shown. */
  readonly state = new ReplicationState();
  readonly #servers: readonly PostgresServer[];
  readonly #ready: Promise<void>;
  readonly #nextReadOrder: () => PostgresServer[];

  constructor(
    urls: readonly string[],
    options: PoolOptions,
    onHealthChange: OnServerHealthChange = () => {},
  ) {
    const { state } = this;
    const reportHealth = createHealthReporter(state, onHealthChange);
    this.#servers = urls.map((url, index) => {
      const onHeartbeat = (server: PostgresServer) => {
        state.recordHeartbeat(server, index === 0);
        reportHealth(server);
      };
      return new PostgresServer(
        url,
        options,
        () => state.getHeartbeatQuery(),
        onHeartbeat,
        onHealthChange,
      );
    });
    this.#ready = resolvePrimary(state, this.#servers).then(() => this.#relate(this.#servers));
    this.#nextReadOrder = createRoundRobin(this.#servers);
  }

  async newestRevision(): Promise<number> {
    await this.#ready;
    await this.#relate(this.#servers);
    await this.#findPrimary()?.sendHeartbeat();
    await this.#findReadable();
    return this.state.newestRevision;
  }

  /** Reads from a healthy server, replicas first, and from the next one if it is unavailable. */
  async read<T>(read: (server: PostgresServer, newest: number) => Promise<T>): Promise<T> {
    let queue = await this.#findReadable();
    const startedMs = system.monotonicNow();
    let error: unknown;
    let rounds = 1;
    for (let server = queue.shift(); server; server = queue.shift()) {
      try {
        return await withReadTimeout(server, read(server, this.state.newestRevision));
      } catch (cause) {
        error = toUnavailableError(cause);
        if (error === undefined) throw cause;
        if (system.monotonicNow() - startedMs > RETRY_WINDOW_MS) break;
        // Those that have become unreachable meanwhile would take as long again.
        queue = queue.filter(isReachable);
        if (server.reconnectIfPooler(cause)) queue.unshift(server);
      }
      // Another server, which was not readable at first, or one of these may have it by now.
      if (queue.length === 0 && error instanceof ServerBehindError && rounds++ < MAX_ROUNDS) {
        await sendHeartbeats(this.#servers.filter(isReachable));
        queue = await this.#findReadable();
      }
    }
    throw error;
  }

  /**
   * Asserts that a revision of a server is of the history that is known: by another heartbeat if
   * the last one is older than the revision, or so old that the server may have been replaced.
   */
  async confirmRevision(server: PostgresServer, revision: number): Promise<void> {
    const isConfirmed = () => {
      const { heartbeat } = server;
      if (!heartbeat || heartbeat.revision < revision) return false;
      const health = this.state.getHealth(server);
      // Behind another server that has got a later one meanwhile, it still has this one.
      return health === 'healthy' || (health === 'lagging' && this.state.isKnown(heartbeat));
    };
    const isLate = () => server.getHeartbeatAge() > MAX_HEARTBEAT_AGE_MS;
    // Twice: the one in progress may have been sent before.
    for (let sent = 0; sent < 2 && server.heartbeat && (isLate() || !isConfirmed()); sent++)
      await server.sendHeartbeat();
    if (!isConfirmed() || !hasAllowedRole(server))
      throw new ServerBehindError(server.lastError ?? OTHER_REVISION_MESSAGE);
  }

  /** Every server, by its last heartbeat, and the workers of a cluster. */
  listServers(): readonly ServerStatus[] {
    const servers = this.#servers.map((server) => ({
      server: formatPublicAddress(server.url),
      role: server.lastRole,
      health: this.state.getHealth(server),
      lag: server.heartbeat && Math.max(0, this.state.newestRevision - server.heartbeat.revision),
    }));
    return [...servers, ...this.#servers.flatMap(({ workers }) => workers?.listWorkers() ?? [])];
  }

  async getPrimary(): Promise<PostgresServer> {
    await this.#ready;
    const primary = await findByHeartbeats(this.#servers, () => this.#findPrimary());
    if (primary) return primary;
    throw this.#servers.some(this.#isHealthy)
      ? new StoreUnavailableError(NO_PRIMARY_MESSAGE)
      : createNoServerError(this.#servers, this.state);
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  readonly #isHealthy = (server: PostgresServer) =>
    this.state.getHealth(server) === 'healthy' && hasAllowedRole(server);

  #findPrimary(): PostgresServer | undefined {
    return this.#servers.find((server) => this.#isHealthy(server) && !server.heartbeat?.isStandby);
  }

  /** The healthy servers. */
  async #findReadable(): Promise<PostgresServer[]> {
    await this.#ready;
    const readable = await findByHeartbeats(this.#servers.filter(isReachable), () => {
      const healthy = this.#nextReadOrder().filter(this.#isHealthy);
      return healthy.length > 0 ? healthy : undefined;
    });
    if (readable) return readable;
    throw createNoServerError(this.#servers, this.state);
  }

  /** Asks those again whose heartbeats do not tell whether they have the revision that is known. */
  async #relate(servers: readonly PostgresServer[]): Promise<void> {
    const unrelated = servers.filter(
      ({ heartbeat }) => heartbeat && this.state.isUnrelated(heartbeat),
    );
    if (unrelated.length > 0) await sendHeartbeats(unrelated);
  }
}

const OTHER_REVISION_MESSAGE = 'a server has a revision that its heartbeats do not show';
const NO_PRIMARY_MESSAGE =
  'the server that takes what is published does not answer; those that do only follow it';

/** Makes unusable servers unavailable ones: a certificate, a password or a privilege may be right again. */
function toUnavailableError(cause: unknown): StoreUnavailableError | undefined {
  if (cause instanceof StoreUnavailableError) return cause;
  return cause instanceof StoreUnusableError
    ? new StoreUnavailableError(cause.message, { cause })
    : undefined;
}

function sendHeartbeats(servers: readonly PostgresServer[]): Promise<unknown> {
  return Promise.all(servers.map((server) => server.sendHeartbeat()));
}

/** Sends heartbeats until something is found: twice, as those in progress may have been sent before. */
async function findByHeartbeats<T>(
  servers: readonly PostgresServer[],
  find: () => T | undefined,
): Promise<T | undefined> {
  for (let sent = 0; sent < 2; sent++) {
    const found = find();
    if (found) return found;
    await sendHeartbeats(sent === 0 ? servers : servers.filter(isReachable));
  }
  return find();
}

const isReachable = ({ heartbeat }: PostgresServer): boolean => heartbeat !== undefined;

/** Orders servers for each read: replicas in turn, then the first server. */
function createRoundRobin([first, ...replicas]: readonly PostgresServer[]) {
  let roundRobinIndex = 0;
  return (): PostgresServer[] => {
    if (first && replicas.length === 0) return [first];
    const start = roundRobinIndex++ % replicas.length;
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
  const result = await withTimeout(response, READ_TIMEOUT_MS, () => {
    if (system.monotonicNow() - server.lastResponseMs > READ_TIMEOUT_MS / 2) server.recreatePool();
    return new StoreUnavailableError('it took too long');
  });
  server.lastResponseMs = system.monotonicNow();
  return result;
}

/** Whether a server is a primary or a standby as its URL wants it to be. */
function hasAllowedRole({ allowedRoles, heartbeat }: PostgresServer): boolean {
  return (
    heartbeat !== undefined && allowedRoles.includes(heartbeat.isStandby ? 'standby' : 'primary')
  );
}

function createNoServerError(
  servers: readonly PostgresServer[],
  state: ReplicationState,
): StoreUnavailableError {
  const { newestRevision } = state;
  const reachable = servers.filter(isReachable);
  if (reachable.length === 0) return new StoreUnavailableError('no server answers');
  if (!reachable.some(hasAllowedRole))
    return new StoreUnavailableError('no server has the role that target_session_attrs asks for');
  return new StoreUnavailableError(
    `no server has revision ${newestRevision}, which was seen; if it is lost for good: tenor migrate --accept-loss ${newestRevision}`,
  );
}
