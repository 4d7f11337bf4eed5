import { SQL } from 'bun';
import { StoreUnavailableError, StoreUnusableError } from '../errors.ts';
import type { SqlRows, SqlStatement, SqlValue } from '../sql/query-steps.ts';
import { formatPublicAddress } from './url.ts';

/** What can be asked: a pool, or the one connection of a transaction. */
export type SqlExecutor = Pick<SQL, 'unsafe' | 'array'>;

/** How connections that read are shared. */
export interface PoolOptions {
  /** How many connections to each server are shared. */
  readonly poolSize: number;
  /** Whether its records are spread over many machines. */
  readonly isDistributed: boolean;
}

/** A pool of connections that can only read. Each is made when it is first needed. */
export function createReadPool(url: string, max: number, { isDistributed }: PoolOptions): SQL {
  return createPool(url, max, REQUEST_CONNECT_TIMEOUT_SECONDS, {
    default_transaction_read_only: 'on',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    // Every question has an index that gives its records in order. Without statistics, or with
    // the values unknown, the planner may take a look at everything for the cheaper way.
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    // A hundred records are found before another process has begun to help.
    max_parallel_workers_per_gather: 0,
    // A plan for any values is as good as one for these, and half of the time went into planning.
    // A cluster plans by the values: they say which machines have a part in it.
    ...(!isDistributed && { plan_cache_mode: 'force_generic_plan' }),
  });
}

/** One connection that writes, for as long as its work takes. */
export function createWriteConnection(url: string): SQL {
  return createPool(url, 1, COMMAND_CONNECT_TIMEOUT_SECONDS, {
    // A file may be read slowly, and be checked for long.
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    // A machine that vanished without a word lets go of the store in half a minute, not in hours.
    tcp_keepalives_idle: 15,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  });
}

/** How long one statement of a reader may take. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** How long a reader may leave a transaction alone: a client that takes its time with a file. */
const IDLE_TRANSACTION_TIMEOUT_MS = 300_000;
/** How long it may take to connect where a request waits, and where a command does. */
const REQUEST_CONNECT_TIMEOUT_SECONDS = 1;
const COMMAND_CONNECT_TIMEOUT_SECONDS = 3;

const POOL_IDLE_TIMEOUT_SECONDS = 60;

function createPool(
  url: string,
  max: number,
  connectionTimeout: number,
  settings: Record<string, string | number>,
): SQL {
  try {
    return new SQL(url, {
      max,
      connectionTimeout,
      // Whatever lies between may have forgotten a connection that nobody used for minutes.
      idleTimeout: POOL_IDLE_TIMEOUT_SECONDS,
      connection: { application_name: 'tenor', ...SESSION_SETTINGS, ...settings },
    });
  } catch (cause) {
    // The driver takes the parameters of an address, and says which of them it does not know.
    const { message } = cause as Error;
    throw new StoreUnusableError(
      `cannot use ${formatPublicAddress(url)} as the database: ${message}`,
      { cause },
    );
  }
}

/** What a role or a database may have set otherwise, and the driver, publishers or checks rely on. */
const SESSION_SETTINGS = {
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  quote_all_identifiers: 'off',
};

/** The rows of a statement, behind words of another kind where there are some. */
export function query(
  executor: SqlExecutor,
  { sql, values }: SqlStatement,
  words = '',
): Promise<SqlRows> {
  return queryRaw(executor, words + numberPlaceholders(sql), values.map(clampInteger));
}

/** The rows of a statement that is written as PostgreSQL takes it. */
export async function queryRaw(
  executor: SqlExecutor,
  sql: string,
  values: unknown[] = [],
): Promise<object[]> {
  try {
    return await executor.unsafe(sql, values);
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** A connection to keep: one that is lost is not silently replaced by one without a transaction. */
export async function reserveConnection(pool: SQL): Promise<SQL> {
  try {
    return await pool.reserve();
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** Statements are written with question marks; PostgreSQL numbers its placeholders. */
function numberPlaceholders(sql: string): string {
  const known = numberedSqlCache.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll('?', () => `$${++count}`);
  numberedSqlCache.set(sql, text);
  return text;
}

const numberedSqlCache = new Map<string, string>();

/** Numbers are four bytes long: what is beyond the largest is as good as the largest. */
function clampInteger(value: SqlValue): SqlValue {
  return typeof value === 'number' ? Math.min(value, 2_147_483_647) : value;
}

/**
 * What to throw for a failure: that the store is out of reach where the server does not answer, or
 * cannot now; that it is refused where it will not.
 */
export function toStoreError(cause: unknown): unknown {
  if (!(cause instanceof SQL.PostgresError)) return cause;
  const { errno: state, code, message } = cause;
  // Where the server did not say what is wrong, the connection to it is.
  if (state === undefined)
    return new StoreUnavailableError(CONNECTION_ERROR_MESSAGES[code] ?? message, { cause });
  if (PERMANENT_SQLSTATES.test(state)) return new StoreUnusableError(message, { cause });
  const isLost =
    TRANSIENT_SQLSTATES.test(state) || (state === 'XX000' && WORKER_LOST_PATTERN.test(message));
  if (isLost) return new StoreUnavailableError(cleanWorkerMessage(message), { cause });
  // Whatever else ends a connection was asked for by its address.
  return cause.severity === 'FATAL' ? new StoreUnusableError(message, { cause }) : cause;
}

/** How the coordinator of a cluster tells that a worker was lost in the middle of a statement. */
const WORKER_LOST_PATTERN = /^failure on connection marked as essential/;

/** What a coordinator says of a worker, in one line, and without the role that it came as. */
function cleanWorkerMessage(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/\S+@(?=\S+:\d)/, '');
}

/** The state of SQL that a server gave as the reason of a failure. */
export function getSqlState(cause: unknown): string | undefined {
  return cause instanceof SQL.PostgresError ? cause.errno : undefined;
}

/** What it means that there is no connection, in words that tell where to look. */
const CONNECTION_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ERR_POSTGRES_CONNECTION_CLOSED: 'the connection to the server was lost',
  ERR_POSTGRES_CONNECTION_REFUSED: 'no such host, or nothing listens on that port',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'nothing there answers as a PostgreSQL server does',
  ERR_POSTGRES_CONNECTION_FAILED: 'the host is out of reach, or no PostgreSQL server listens there',
};

/** States of SQL: no such role, password or database; no right to do it; larger than it can hold. */
const PERMANENT_SQLSTATES = /^(28|3D000|42501|54)/;
/**
 * States of SQL: the connection broke; a standby was in the way; the server lacks something, was
 * told to stop, is starting, or finds its files broken.
 */
const TRANSIENT_SQLSTATES = /^(08|25006|25P03|25P04|40001|40P01|53|55P03|57|58|XX001|XX002)/;
