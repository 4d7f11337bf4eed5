import { SQL } from 'bun';
import {
  findInvalidSessionAttribute,
  formatPublicAddress,
  getConnectTimeout,
} from '../../shared/postgres-url.ts';
import { StoreUnusableError } from '../errors.ts';
import { throwStoreError } from './errors.ts';
import { getPoolerOptions, isPooler } from './pooler.ts';

export interface PoolOptions {
  readonly poolSize: number;
  /** How many connections of a pool reads that can take seconds may use; all if absent. */
  readonly maxLongReads?: number;
  readonly isDistributed: boolean;
  /** Makes the connections that are read from; default: those of the driver. */
  readonly connector?: Connector | undefined;
}

/** How servers are connected to. */
export interface Connector {
  createReadPool(url: string, max: number, options: PoolOptions): SQL;
  createWriteConnection(url: string): SQL;
}

/** A pool of read-only connections, which are opened when first needed. */
export function createReadPool(url: string, max: number, { isDistributed }: PoolOptions): SQL {
  return createPool(url, max, {
    default_transaction_read_only: 'on',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    // Every query has an index that gives its records in order. Without statistics, or with a
    // generic plan, the planner may think that a scan of the whole table is cheaper.
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    // Without scans, small tables look so dear to the planner that it would compile the query first,
    // which takes half a second.
    jit: 'off',
    // A hundred records are found before a parallel worker has started.
    max_parallel_workers_per_gather: 0,
    // A generic plan is as good as a custom one, and planning took half of the time. A cluster
    // plans by the values: they decide which nodes take part.
    ...(isDistributed
      ? { 'citus.node_connection_timeout': WORKER_CONNECT_TIMEOUT_MS }
      : { plan_cache_mode: 'force_generic_plan' }),
  });
}

export function createWriteConnection(url: string): SQL {
  return createPool(url, 1, {
    // Reading and checking a file may take long.
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    // If this machine vanishes, the server releases the write lock in half a minute, not in hours.
    tcp_keepalives_idle: 15,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  });
}

export const driverConnector: Connector = { createReadPool, createWriteConnection };

const STATEMENT_TIMEOUT_MS = 10_000;
/** A coordinator waits for half a minute by default; a worker that is lost is noticed earlier. */
const WORKER_CONNECT_TIMEOUT_MS = 5_000;
/** For a client that downloads an export slowly. */
const IDLE_TRANSACTION_TIMEOUT_MS = 300_000;
/** A server that hangs is noticed by its heartbeat, which fails all others that wait; one that is busy is not. */
const CONNECT_TIMEOUT_SECONDS = 3;
/** A firewall may drop a connection that is idle for minutes. */
const POOL_IDLE_TIMEOUT_SECONDS = 60;

function createPool(url: string, max: number, settings: Record<string, string | number>): SQL {
  try {
    assertValidParameters(url);
    return new SQL(url, {
      max,
      connectionTimeout: getConnectTimeout(url, CONNECT_TIMEOUT_SECONDS),
      idleTimeout: POOL_IDLE_TIMEOUT_SECONDS,
      // The driver would prefer PGDATABASE.
      database: decodeURIComponent(new URL(url).pathname.slice(1)),
      ...(isPooler(url)
        ? getPoolerOptions(url)
        : { connection: { ...IDENTIFICATION, ...SESSION_SETTINGS, ...settings } }),
    });
  } catch (cause) {
    // The driver rejects unknown parameters of the URL.
    const { message } = cause as Error;
    throw new StoreUnusableError(
      `cannot use ${formatPublicAddress(url)} as the database: ${message}`,
      { cause },
    );
  }
}

const IDENTIFICATION = { application_name: 'tenor' };

function assertValidParameters(url: string): void {
  const seconds = new URL(url).searchParams.get('connect_timeout') ?? '0';
  if (!/^\d{1,4}$/.test(seconds))
    throw new Error(`connect_timeout must be a whole number of seconds, not "${seconds}"`);
  const attribute = findInvalidSessionAttribute(url);
  if (attribute === undefined) return;
  throw new Error(
    `target_session_attrs must be any, read-write, read-only, primary, standby or prefer-standby, not "${attribute}"`,
  );
}

/** Settings that the driver and the schema check rely on, whatever the role or database sets. */
const SESSION_SETTINGS = {
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  quote_all_identifiers: 'off',
};

/** Reserves a connection: if it is lost, it is not silently replaced outside its transaction. */
export function reserveConnection(pool: SQL): Promise<SQL> {
  return pool.reserve().catch(throwStoreError);
}

/** Runs an operation; calls `close` if it fails. */
export async function closeOnError<T>(close: () => void, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    close();
    throw cause;
  }
}

/** Closes connections without waiting for their statements. */
export function closeImmediately(pool: SQL): void {
  pool.close({ timeout: 0 }).catch(() => {});
}

/** Closes connections when their statements have ended, at the latest when these time out. */
export function closeWhenIdle(pool: SQL): void {
  pool.close({ timeout: STATEMENT_TIMEOUT_MS / 1_000 }).catch(() => {});
}
