import type { SQL } from 'bun';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../../shared/concurrency-limit.ts';
import { findAllowedRoles, getConnectTimeout } from '../../../shared/postgres-url.ts';
import { system } from '../../../shared/system.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { OnServerHealthChange, ServerStatus } from '../../server-status.ts';
import { shareCommitState } from '../../sql/settled-revision.ts';
import { WorkerMonitor } from '../citus/worker-monitor.ts';
import { probeWorkers } from '../citus/worker-probe.ts';
import { readCommitState } from '../commit-lock.ts';
import {
  type Connector,
  closeImmediately,
  closeWhenIdle,
  driverConnector,
  type PoolOptions,
} from '../connection-pool.ts';
import { toStoreError } from '../errors.ts';
import { detectPooler } from '../pooler.ts';
import {
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  type Heartbeat,
  type HeartbeatQuery,
  queryHeartbeat,
} from './heartbeat.ts';

/** Opening a connection, perhaps to another continent, takes longer than a query. */
const FIRST_HEARTBEAT_SECONDS = 1;

/**
 * One PostgreSQL server. It gets a heartbeat several times a second, on a connection of its own, so
 * that a hanging server is distinguished from a busy one: when a heartbeat times out, all other
 * queries in progress fail too.
 */
export class PostgresServer {
  /** Undefined while the server is unreachable; then `lastError` says why. */
  heartbeat: Heartbeat | undefined;
  lastError: string | undefined;
  lastRole: ServerStatus['role'] = 'unknown';
  /** By its URL, which is parsed once: each read needs them. */
  readonly allowedRoles: ReturnType<typeof findAllowedRoles>;
  /** Shared connections, closed with all queries in progress when the server is unreachable. */
  pool: SQL;
  /** One connection for tokens: a revocation must be seen while requests take all of the pool. */
  tokenPool: SQL;
  /** Runs statements if the server is the coordinator of a cluster. */
  readonly workers: WorkerMonitor | undefined;
  /** The clock and the commit lock; requests that wait share what it reads. */
  readonly readCommitState = shareCommitState(() => readCommitState(this.pool));
  /** When a query of the pool last succeeded. */
  lastResponseMs = system.monotonicNow();
  readonly #connector: Connector;
  #heartbeatPool: SQL;
  readonly #dedicated = new Set<SQL>();
  readonly #limitLongReads: ConcurrencyLimit;
  readonly #timer = system.setInterval(() => this.sendHeartbeat(), HEARTBEAT_INTERVAL_MS);
  #pending: Promise<void> | undefined;
  #heartbeatMs = 0;
  #isClosed = false;

  constructor(
    readonly url: string,
    private readonly options: PoolOptions,
    private readonly getQuery: () => HeartbeatQuery,
    private readonly onHeartbeat: (server: PostgresServer) => void,
    onHealthChange?: OnServerHealthChange,
  ) {
    this.#connector = options.connector ?? driverConnector;
    this.allowedRoles = findAllowedRoles(url);
    this.pool = this.#createPool(options.poolSize);
    this.#heartbeatPool = this.#createPool(1);
    this.tokenPool = this.#createPool(1);
    this.workers = options.isDistributed
      ? new WorkerMonitor({
          getPool: () => this.pool,
          replacePool: () => this.replacePool(),
          probe: (timeoutMs) => probeWorkers(url, options, timeoutMs),
          onHealthChange,
        })
      : undefined;
    this.#limitLongReads = createConcurrencyLimit(options.maxLongReads ?? options.poolSize);
  }

  sendHeartbeat(): Promise<void> {
    this.#pending ??= this.#beat();
    return this.#pending;
  }

  /** How long ago the last heartbeat was sent. */
  getHeartbeatAge(): number {
    return system.monotonicNow() - this.#heartbeatMs;
  }

  async #beat(): Promise<void> {
    const sentMs = system.monotonicNow();
    try {
      const timeoutMs = this.heartbeat
        ? HEARTBEAT_TIMEOUT_MS
        : 1_000 * getConnectTimeout(this.url, FIRST_HEARTBEAT_SECONDS);
      const result = await queryHeartbeat(this.#heartbeatPool, this.getQuery(), timeoutMs);
      this.heartbeat = result;
      this.#heartbeatMs = sentMs;
      this.lastError = undefined;
      this.lastRole = result.isStandby ? 'replica' : 'primary';
    } catch (cause) {
      this.heartbeat = undefined;
      this.lastError = (toStoreError(cause) as Error).message;
      if (this.reconnectIfPooler(cause)) return this.#beat();
      this.#recreateAll();
    }
    this.#pending = undefined;
    if (!this.#isClosed) this.onHeartbeat(this);
  }

  /** Connects again, in another way, if an error shows that the URL leads to a pooler. */
  reconnectIfPooler(cause: unknown): boolean {
    if (!detectPooler(this.url, cause)) return false;
    this.#recreateAll();
    return true;
  }

  /** Runs a read that may take seconds, so that some connections stay free for short ones. */
  runLongRead<T>(read: () => Promise<T>): Promise<T> {
    return this.#limitLongReads(() => {
      // It may have become unreachable meanwhile.
      if (!this.heartbeat) throw new StoreUnavailableError(this.lastError);
      return read();
    });
  }

  recreatePool(): void {
    closeImmediately(this.pool);
    if (!this.#isClosed) this.pool = this.#createPool(this.options.poolSize);
  }

  /** Replaces the pool for statements to come; those in progress keep their connections. */
  replacePool(): void {
    closeWhenIdle(this.pool);
    if (!this.#isClosed) this.pool = this.#createPool(this.options.poolSize);
  }

  /** A dedicated connection, for long reads or for writing; closed like the pool. */
  connect(use: 'reading' | 'writing'): { connection: SQL; close: () => void } {
    const connection = use === 'reading' ? this.#createPool(1) : this.createWriteConnection();
    this.#dedicated.add(connection);
    const close = () => {
      this.#dedicated.delete(connection);
      closeImmediately(connection);
    };
    return { connection, close };
  }

  /** A connection for writing that stays open while the server is unreachable. */
  createWriteConnection(): SQL {
    return this.#connector.createWriteConnection(this.url);
  }

  close(): void {
    this.#timer.cancel();
    this.#isClosed = true;
    this.workers?.close();
    this.#closeAll();
  }

  #createPool(max: number): SQL {
    return this.#connector.createReadPool(this.url, max, this.options);
  }

  #recreateAll(): void {
    this.#closeAll();
    if (this.#isClosed) return;
    this.#heartbeatPool = this.#createPool(1);
    this.tokenPool = this.#createPool(1);
    this.pool = this.#createPool(this.options.poolSize);
  }

  #closeAll(): void {
    const shared = [this.#heartbeatPool, this.tokenPool, this.pool];
    for (const pool of [...shared, ...this.#dedicated]) closeImmediately(pool);
    this.#dedicated.clear();
  }
}
