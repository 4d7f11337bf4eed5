import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreBusyError, StoreUnusableError } from '../../errors.ts';
import type { Publisher, PublisherOptions } from '../../publisher.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { createPublisher, type PublishingSession } from '../../sql/publisher.ts';
import { commitDistributed, recoverPendingRevisions } from '../citus/pending-revisions.ts';
import { acquireCommitLock, readServerClock } from '../commit-lock.ts';
import { closeImmediately, createWriteConnection, reserveConnection } from '../connection-pool.ts';
import { isPooler } from '../pooler.ts';
import { execute } from '../query.ts';
import { assertStillKnown } from '../schema/migrate-schema.ts';
import type { ServerPool } from '../server-pool/server-pool.ts';
import { commitTransaction, runSteps, streamRows, tryAcquireWriteLock } from '../session.ts';
import { createBufferedWriter, createPostgresWriter } from './writer.ts';

export function createPostgresPublisher(
  servers: ServerPool,
  dialect: Dialect,
  catalogue: readonly Dataset[],
  options?: PublisherOptions,
): Publisher {
  const session = createPublishingSession(servers, { ...dialect, holdsWriteLock: true }, catalogue);
  return createPublisher(session, options);
}

function createPublishingSession(
  servers: ServerPool,
  dialect: Dialect,
  catalogue: readonly Dataset[],
): PublishingSession {
  const { isDistributed } = dialect;
  // In a cluster, the newest revision at the start of the transaction.
  let newest = 0;
  let active: WatchedConnection | undefined;
  // The connection for the next attempt, while another publisher has the write lock.
  let waiting: WatchedConnection | undefined;
  const getConnection = () => (active as WatchedConnection).connection;
  const finish = async (operation: (connection: SQL) => Promise<unknown>) => {
    const { connection, release } = active as WatchedConnection;
    active = undefined;
    await operation(connection).finally(release);
  };
  return {
    dialect,
    run: async (steps) => {
      if (active) return runSteps(active.connection, steps());
      const { connection, release } = await connectToPrimary(servers, dialect);
      return runSteps(connection, steps()).finally(release);
    },
    stream: (statement) => streamRows(getConnection(), statement),
    createWriter: async (...options) => {
      const writer = await createPostgresWriter(
        { connection: getConnection(), isDistributed },
        ...options,
      );
      return isDistributed ? createBufferedWriter(writer) : writer;
    },
    readClock: () => readServerClock(getConnection()),
    lockCommit: () => acquireCommitLock(getConnection()),
    begin: async () => {
      const next = waiting ?? (await connectToPrimary(servers, dialect));
      waiting = undefined;
      if (!(await releaseOnError(next, beginWithWriteLock))) {
        waiting = next;
        throw new StoreBusyError('another publisher holds the database');
      }
      await releaseOnError(next, assertStillKnown);
      if (isDistributed) {
        newest = await releaseOnError(next, (connection) =>
          recoverPendingRevisions(connection, catalogue),
        );
      }
      active = next;
    },
    isOpen: () => active !== undefined,
    commit: () =>
      finish((connection) =>
        isDistributed
          ? commitDistributed(connection, catalogue, newest)
          : commitTransaction(connection),
      ),
    rollback: () => finish((connection) => execute(connection, 'ROLLBACK')),
    close: () => {
      active?.release();
      waiting?.release();
      servers.close();
    },
  };
}

/** How long a server may be unreachable before a transaction on it is given up. */
const UNREACHABLE_TIMEOUT_MS = 10_000;
const UNREACHABLE_POLL_INTERVAL_MS = 500;

/** A connection that is closed when its server has been unreachable for long. */
interface WatchedConnection {
  readonly connection: SQL;
  release(): void;
}

async function connectToPrimary(
  servers: ServerPool,
  { isDistributed }: Dialect,
): Promise<WatchedConnection> {
  const server = await servers.getPrimary();
  // The locks of a publisher would stay with a connection that the pooler gives to others.
  if (isDistributed && isPooler(server.url)) throw new StoreUnusableError(POOLED_CLUSTER_MESSAGE);
  const pool = createWriteConnection(server.url);
  let lastReachableMs = performance.now();
  const timer = setInterval(() => {
    if (server.heartbeat) lastReachableMs = performance.now();
    else if (performance.now() - lastReachableMs > UNREACHABLE_TIMEOUT_MS) closeImmediately(pool);
  }, UNREACHABLE_POLL_INTERVAL_MS);
  const release = () => {
    clearInterval(timer);
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

async function beginWithWriteLock(connection: SQL): Promise<boolean> {
  await execute(connection, 'BEGIN');
  if (await tryAcquireWriteLock(connection)) return true;
  await execute(connection, 'ROLLBACK');
  return false;
}
