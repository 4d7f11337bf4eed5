import { tmpdir } from 'node:os';
import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { system } from '../../../shared/system.ts';
import { StoreBusyError, StoreUnusableError } from '../../errors.ts';
import type { Publisher, PublisherOptions } from '../../publisher.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { createPublisher, type PublishingSession } from '../../sql/publisher.ts';
import type { QuerySteps, SqlQuery } from '../../sql/query-steps.ts';
import type { RowWriter, SignerStore, WriteSession } from '../../sql/session.ts';
import { type ShadowStatements, ShadowTables } from '../../sql/shadow-tables.ts';
import { LEDGER_SIGNERS_TABLE } from '../../sql/stored-tables.ts';
import { commitDistributed, recoverPendingRevisions } from '../citus/pending-revisions.ts';
import { acquireCommitLock, readServerClock } from '../commit-lock.ts';
import { closeImmediately, reserveConnection } from '../connection-pool.ts';
import { isPooler } from '../pooler.ts';
import { execute } from '../query.ts';
import { assertStillKnown } from '../schema/migrate-schema.ts';
import type { ServerPool } from '../server-pool/server-pool.ts';
import {
  beginPublishing,
  commitTransaction,
  runSteps,
  streamRows,
  tryAcquireWriteLock,
} from '../session.ts';
import { createPostgresWriter } from './writer.ts';

export interface PublisherTarget {
  readonly servers: ServerPool;
  readonly dialect: Dialect;
  readonly catalogue: readonly Dataset[];
  close(): void;
}

export function createPostgresPublisher(
  target: PublisherTarget,
  options?: PublisherOptions,
): Publisher {
  const dialect = { ...target.dialect, holdsWriteLock: true };
  const session = new PostgresPublishingSession({ ...target, dialect }, options?.waitMs);
  return createPublisher(session, options, target.catalogue);
}

class PostgresPublishingSession implements PublishingSession {
  readonly dialect: Dialect;
  readonly temporaryFolder = tmpdir();
  readonly stream = (query: SqlQuery) => streamRows(this.#connection, query);
  readonly readClock = () => readServerClock(this.#connection);
  readonly lockCommit = () => acquireCommitLock(this.#connection);
  readonly signers: SignerStore = {
    location: `the table ${LEDGER_SIGNERS_TABLE}`,
    read: async () => {
      const sql = `SELECT line FROM ${LEDGER_SIGNERS_TABLE}`;
      return (await execute<{ line: string }>(this.#connection, sql)).map(({ line }) => line);
    },
    add: async (line) => {
      const sql = `INSERT INTO ${LEDGER_SIGNERS_TABLE} VALUES ($1)`;
      await execute(this.#connection, sql, [line]);
    },
    replaceAll: async (line) => {
      await execute(this.#connection, `DELETE FROM ${LEDGER_SIGNERS_TABLE}`);
      await this.signers.add(line);
    },
  };
  readonly isOpen = () => this.#active !== undefined;
  readonly rollback = () => this.#finish((connection) => execute(connection, 'ROLLBACK'));
  /** In a cluster, the newest revision at the start of the transaction. */
  #newest = 0;
  #active: WatchedConnection | undefined;
  #shadows: ShadowTables | undefined;
  /** The connection for the next attempt, while another publisher has the write lock. */
  #waiting: WatchedConnection | undefined;

  constructor(
    private readonly target: PublisherTarget,
    private readonly waitMs?: number,
  ) {
    this.dialect = target.dialect;
  }

  async run<T>(steps: () => QuerySteps<T>): Promise<T> {
    if (this.#active) return runSteps(this.#connection, steps());
    const { connection, release } = await connectToPrimary(this.target);
    return runSteps(connection, steps()).finally(release);
  }

  createWriter(...revision: Parameters<WriteSession['createWriter']>): Promise<RowWriter> {
    const { isDistributed } = this.dialect;
    return createPostgresWriter({ connection: this.#connection, isDistributed }, ...revision);
  }

  async begin(isDryRun: boolean): Promise<void> {
    this.#shadows = undefined;
    const next = this.#waiting ?? (await connectToPrimary(this.target));
    this.#waiting = undefined;
    const isUnlocked = isDryRun && !this.dialect.isDistributed;
    const begin = (connection: SQL) =>
      isUnlocked ? this.#beginDryRun(connection) : beginWithWriteLock(connection, this.waitMs);
    if (!(await releaseOnError(next, begin))) {
      this.#waiting = next;
      throw new StoreBusyError('another publisher holds the database');
    }
    await releaseOnError(next, assertStillKnown);
    if (this.dialect.isDistributed) {
      this.#newest = await releaseOnError(next, (connection) =>
        recoverPendingRevisions(connection, this.target.catalogue),
      );
    }
    this.#active = next;
  }

  async shadow(dataset: Dataset): Promise<void> {
    for (const sql of this.#shadows?.add(dataset) ?? []) await execute(this.#connection, sql);
  }

  /** Everything is read as of one moment, whatever is published meanwhile. */
  async #beginDryRun(connection: SQL): Promise<true> {
    await execute(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    const sql = 'SELECT quote_ident(current_schema()) AS schema';
    const [row] = await execute<{ schema: string }>(connection, sql);
    this.#shadows = new ShadowTables(shadowStatements(row?.schema ?? ''));
    return true;
  }

  commit(): Promise<void> {
    return this.#finish((connection) =>
      this.dialect.isDistributed
        ? commitDistributed(connection, this.target.catalogue, this.#newest)
        : commitTransaction(connection),
    );
  }

  close(): void {
    this.#active?.release();
    this.#waiting?.release();
    this.target.close();
  }

  get #connection(): SQL {
    return (this.#active as WatchedConnection).connection;
  }

  async #finish(operation: (connection: SQL) => Promise<unknown>): Promise<void> {
    const { connection, release } = this.#active as WatchedConnection;
    this.#active = undefined;
    await operation(connection).finally(release);
  }
}

/** How long a server may be unreachable before a transaction on it is given up. */
const UNREACHABLE_TIMEOUT_MS = 10_000;
const UNREACHABLE_POLL_INTERVAL_MS = 500;

/** A connection that is closed when its server has been unreachable for long. */
interface WatchedConnection {
  readonly connection: SQL;
  release(): void;
}

async function connectToPrimary({
  servers,
  dialect: { isDistributed },
}: PublisherTarget): Promise<WatchedConnection> {
  const server = await servers.getPrimary();
  // The locks of a publisher would stay with a connection that the pooler gives to others.
  if (isDistributed && isPooler(server.url)) throw new StoreUnusableError(POOLED_CLUSTER_MESSAGE);
  const pool = server.createWriteConnection();
  let lastReachableMs = system.monotonicNow();
  const timer = system.setInterval(() => {
    if (server.heartbeat) lastReachableMs = system.monotonicNow();
    else if (system.monotonicNow() - lastReachableMs > UNREACHABLE_TIMEOUT_MS)
      closeImmediately(pool);
  }, UNREACHABLE_POLL_INTERVAL_MS);
  const release = () => {
    timer.cancel();
    closeImmediately(pool);
  };
  const connection = await releaseOnError({ connection: pool, release }, reserveConnection);
  return { connection, release };
}

const POOLED_CLUSTER_MESSAGE =
  'nothing was published: a cluster is published to directly; let DATABASE_URL name its coordinator, not a connection pooler';

async function releaseOnError<T>(
  { connection, release }: WatchedConnection,
  operation: (connection: SQL) => Promise<T>,
): Promise<T> {
  try {
    return await operation(connection);
  } catch (cause) {
    release();
    throw cause;
  }
}

async function beginWithWriteLock(connection: SQL, waitMs?: number): Promise<boolean> {
  await beginPublishing(connection, waitMs);
  if (await tryAcquireWriteLock(connection)) return true;
  await execute(connection, 'ROLLBACK');
  return false;
}

const shadowStatements = (schema: string): ShadowStatements => ({
  copyStructure: (table) => [`CREATE TEMP TABLE ${table} (LIKE ${schema}.${table} INCLUDING ALL)`],
  copyIndexes: () => [],
  extend: (table) => [
    `CREATE TEMP TABLE ${table}_new (LIKE ${schema}.${table})`,
    `CREATE TEMP VIEW ${table} AS SELECT * FROM ${schema}.${table} UNION ALL SELECT * FROM ${table}_new`,
    `CREATE RULE ${table}_insert AS ON INSERT TO ${table} DO INSTEAD INSERT INTO ${table}_new VALUES (new.*)`,
  ],
  qualify: (table) => `${schema}.${table}`,
  // A prepared statement looks for its tables anew if the path has changed.
  replan: (count) => [
    `SET LOCAL search_path = ${schema}, ${['pg_catalog', 'information_schema'].slice(0, count)}`,
  ],
});
