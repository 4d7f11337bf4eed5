import type { SQL } from 'bun';
import { toStoreError } from '../errors.ts';
import {
  closeImmediately,
  createReadPool,
  createWriteConnection,
  type PoolOptions,
} from '../pool.ts';
import {
  HEARTBEAT_INTERVAL_MS,
  type Heartbeat,
  type HeartbeatQuery,
  queryHeartbeat,
} from './heartbeat.ts';

/** One PostgreSQL server: its last heartbeat, and connections to it. */
export interface PostgresServer {
  readonly url: string;
  /** Undefined while the server is unreachable. */
  readonly heartbeat: Heartbeat | undefined;
  /** Why the server is unreachable. */
  readonly lastError: string | undefined;
  sendHeartbeat(): Promise<void>;
  /** A response was from this revision, so the server has it, whatever its last heartbeat says. */
  recordRevision(revision: number): void;
  /** Shared connections, closed with all queries in progress when the server is unreachable. */
  readonly pool: SQL;
  /** When a query of the pool last succeeded. */
  lastResponseMs: number;
  /** Replaces the pool; queries in progress fail. */
  recreatePool(): void;
  /** A dedicated connection, for long reads or for writing; closed like the pool. */
  connect(use: 'reading' | 'writing'): DedicatedConnection;
  close(): void;
}

interface DedicatedConnection {
  readonly connection: SQL;
  close(): void;
}

/**
 * Connects to a server and sends it a heartbeat several times a second, on a connection of its own,
 * so that a hanging server is distinguished from a busy one: when a heartbeat times out, all other
 * queries in progress fail too.
 */
export function createPostgresServer(
  url: string,
  options: PoolOptions,
  getQuery: () => HeartbeatQuery,
  onHeartbeat: (server: PostgresServer) => void,
): PostgresServer {
  const connections = createConnections(url, options);
  let heartbeat: Heartbeat | undefined;
  let lastError: string | undefined;
  let isFirst = true;
  /** The newest revision of responses during a heartbeat. */
  let shownRevision = 0;
  let pending: Promise<void> | undefined;

  const beat = async () => {
    shownRevision = 0;
    try {
      const result = await queryHeartbeat(connections.heartbeatPool, getQuery(), isFirst);
      isFirst = false;
      heartbeat = { ...result, revision: Math.max(result.revision, shownRevision) };
      lastError = undefined;
    } catch (cause) {
      heartbeat = undefined;
      lastError = (toStoreError(cause) as Error).message;
      isFirst = true;
      connections.recreateAll();
    }
    pending = undefined;
    if (!connections.isClosed) onHeartbeat(server);
  };
  const sendHeartbeat = () => {
    pending ??= beat();
    return pending;
  };
  const timer = setInterval(sendHeartbeat, HEARTBEAT_INTERVAL_MS);
  const server: PostgresServer = {
    url,
    lastResponseMs: performance.now(),
    get heartbeat() {
      return heartbeat;
    },
    get lastError() {
      return lastError;
    },
    get pool() {
      return connections.pool;
    },
    sendHeartbeat,
    recordRevision(revision) {
      shownRevision = Math.max(shownRevision, revision);
      if (heartbeat && heartbeat.revision < revision) heartbeat = { ...heartbeat, revision };
    },
    recreatePool: connections.recreatePool,
    connect: connections.connect,
    close() {
      clearInterval(timer);
      connections.close();
    },
  };
  return server;
}

/** The connections to a server, which are closed together. */
function createConnections(url: string, options: PoolOptions) {
  const createPool = (max: number) => createReadPool(url, max, options);
  const dedicated = new Set<SQL>();
  const closeAll = () => {
    for (const pool of [connections.heartbeatPool, connections.pool, ...dedicated])
      closeImmediately(pool);
    dedicated.clear();
  };
  const connections = {
    isClosed: false,
    heartbeatPool: createPool(1),
    pool: createPool(options.poolSize),
    recreatePool() {
      closeImmediately(connections.pool);
      if (!connections.isClosed) connections.pool = createPool(options.poolSize);
    },
    recreateAll() {
      closeAll();
      if (connections.isClosed) return;
      connections.heartbeatPool = createPool(1);
      connections.pool = createPool(options.poolSize);
    },
    connect(use: 'reading' | 'writing'): DedicatedConnection {
      const connection = use === 'reading' ? createPool(1) : createWriteConnection(url);
      dedicated.add(connection);
      const close = () => {
        dedicated.delete(connection);
        closeImmediately(connection);
      };
      return { connection, close };
    },
    close() {
      connections.isClosed = true;
      closeAll();
    },
  };
  return connections;
}
