import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreBusyError } from '../../errors.ts';
import type { LockWaitOptions, Publisher } from '../../publisher.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { PublishingSession } from '../../sql/publisher.ts';
import { createPublisher } from '../../sql/publisher.ts';
import { commitDistributed, recoverPendingRevisions } from '../citus/pending-revisions.ts';
import { commitTransaction } from '../commit-transaction.ts';
import { createWriteConnection, query, reserveConnection } from '../connection.ts';
import { closeImmediately } from '../server-pool/server.ts';
import type { ServerPool } from '../server-pool/server-pool.ts';
import { createSession } from '../session.ts';
import { tryAcquireWriteLock } from '../write-lock.ts';
import { createBufferedWriter } from './buffered-writer.ts';
import { createPostgresWriter } from './writer.ts';

/** A publisher for the store that the servers hold. */
export function createPostgresPublisher(
  servers: ServerPool,
  dialect: Dialect,
  catalogue: readonly Dataset[],
  patience?: LockWaitOptions,
): Publisher {
  return createPublisher(
    createPublishingSession(servers, { ...dialect, holdsWriteLock: true }, catalogue),
    patience,
  );
}

/** How long a server may be silent before what is under way on it is given up. */
const SILENCE_TIMEOUT_MS = 10_000;

function createPublishingSession(
  servers: ServerPool,
  dialect: Dialect,
  catalogue: readonly Dataset[],
): PublishingSession {
  /** In a cluster, the newest revision when the transaction began. */
  let newest = 0;
  let held: WatchedConnection | undefined;
  /** Kept while another publisher holds the store, to ask again. */
  let waiting: WatchedConnection | undefined;
  /** What is asked between transactions has a connection for itself; within one, its own. */
  const withConnection = async <T>(callback: (connection: SQL) => Promise<T>): Promise<T> => {
    if (held) return callback(held.connection);
    const { connection, release } = await connectToPrimary(servers);
    try {
      return await callback(connection);
    } finally {
      release();
    }
  };
  const within = () => (held as WatchedConnection).connection;
  const end = async (finish: (connection: SQL) => Promise<void>) => {
    const { connection, release: letGo } = held as WatchedConnection;
    held = undefined;
    try {
      await finish(connection);
    } finally {
      letGo();
    }
  };
  return {
    dialect,
    run: (steps) => withConnection((connection) => createSession(connection, dialect).run(steps)),
    stream: (statement) => createSession(within(), dialect).stream(statement),
    writer: async (...asked) => {
      const writer = await createPostgresWriter(within(), ...asked);
      return dialect.isDistributed ? createBufferedWriter(writer) : writer;
    },
    begin: async () => {
      const next = waiting ?? (await connectToPrimary(servers));
      waiting = undefined;
      if (await beginWithWriteLock(next)) {
        if (dialect.isDistributed) newest = await recoverPending(next, catalogue);
        held = next;
      } else {
        waiting = next;
        throw new StoreBusyError('another publisher holds the database');
      }
    },
    isOpen: () => held !== undefined,
    commit: () =>
      end((connection) =>
        dialect.isDistributed
          ? commitDistributed(connection, catalogue, newest)
          : commitTransaction(connection),
      ),
    rollback: () =>
      end(async (connection) => {
        await query(connection, { sql: 'ROLLBACK', values: [] });
      }),
    close: () => {
      held?.release();
      waiting?.release();
      servers.close();
    },
  };
}

/** A connection that is given up when its server has been silent for long. */
interface WatchedConnection {
  readonly connection: SQL;
  release(): void;
}

async function connectToPrimary(servers: ServerPool): Promise<WatchedConnection> {
  const server = await servers.getPrimary();
  const pool = createWriteConnection(server.url);
  let heardMs = performance.now();
  const watch = setInterval(() => {
    if (server.heartbeat) heardMs = performance.now();
    else if (performance.now() - heardMs > SILENCE_TIMEOUT_MS) closeImmediately(pool);
  }, 500);
  const release = () => {
    clearInterval(watch);
    closeImmediately(pool);
  };
  try {
    return { connection: await reserveConnection(pool), release };
  } catch (cause) {
    release();
    throw cause;
  }
}

/** Begins a transaction that holds the store, unless somebody else has it. */
async function beginWithWriteLock({ connection, release }: WatchedConnection): Promise<boolean> {
  try {
    await query(connection, { sql: 'BEGIN', values: [] });
    if (await tryAcquireWriteLock(connection)) return true;
    await query(connection, { sql: 'ROLLBACK', values: [] });
    return false;
  } catch (cause) {
    release();
    throw cause;
  }
}

/** What another publisher may have left to do is done first; gives the newest revision then. */
async function recoverPending(
  { connection, release }: WatchedConnection,
  catalogue: readonly Dataset[],
) {
  try {
    return await recoverPendingRevisions(connection, catalogue);
  } catch (cause) {
    release();
    throw cause;
  }
}
