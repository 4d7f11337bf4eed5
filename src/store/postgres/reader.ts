import { whenReady } from '../../shared/awaitable.ts';
import { ServerBehindError, StoreUnavailableError } from '../errors.ts';
import {
  NO_REVISION,
  type ReaderOptions,
  type ReaderSource,
  type RevisionAt,
  type StoreReader,
} from '../reader.ts';
import type { Dialect } from '../sql/dialect.ts';
import { findNewestRevision, findRevisionAt, readLedger } from '../sql/ledger.ts';
import type { QuerySteps } from '../sql/query-steps.ts';
import { isSingleStatement, readSelection } from '../sql/read-selection.ts';
import { assertNotMigrated } from '../sql/schema.ts';
import { AsOfCache } from '../sql/select-records.ts';
import type { QuerySession } from '../sql/session.ts';
import { findSettledRevision } from '../sql/settled-revision.ts';
import {
  createStoreQueries,
  readSigningSecret,
  streamCountedRecords,
} from '../sql/store-queries.ts';
import { closeOnError, reserveConnection } from './connection-pool.ts';
import { execute } from './query.ts';
import type { PostgresServer } from './server-pool/server.ts';
import type { ServerPool } from './server-pool/server-pool.ts';
import {
  createClusterSession,
  createSession,
  runInSnapshot,
  runStatements,
  runSteps,
  SNAPSHOT_ISOLATION,
} from './session.ts';

export type PostgresSource = Extract<ReaderSource, { urls: unknown }>;

export function createPostgresReader(
  servers: ServerPool,
  source: PostgresSource,
  close = () => servers.close(),
  { isFollowing }: ReaderOptions = {},
): StoreReader {
  const { dialect } = source;
  const session = new PooledSession(servers, dialect, source.storeId);
  const queries = createStoreQueries(session);
  return {
    ...queries,
    source: () => ({
      ...source,
      ...(session.storeId !== undefined && { storeId: session.storeId }),
    }),
    async revisionAt(instant) {
      const found = await queries.revisionAt(instant);
      return found.isFinal || isFollowing ? found : session.findFinalRevision(instant, found);
    },
    async revision() {
      const revision = await servers.newestRevision();
      session.assertCurrent();
      return revision;
    },
    read: session.readSelection,
    async *records(dataset, asOf) {
      const stream = await servers.read((server, newest) =>
        openStreamSession(server, dialect, async (run) =>
          session.confirmRevision(
            server,
            await run(() => session.assertUpToDate(server, newest, asOf)),
          ),
        ),
      );
      try {
        yield* streamCountedRecords(stream.session, dataset, asOf);
      } finally {
        stream.close();
      }
    },
    isCurrent() {
      assertNotMigrated(servers.state.schemaVersion);
      return session.isCurrent();
    },
    secret: () => servers.read(({ pool }) => runSteps(pool, readSigningSecret())),
    confirmRevision: (seen) => seen,
    newestSeen: () => servers.state.newestSeen,
    observeRevision(revision, identity = NO_REVISION) {
      if (!session.isCurrent()) return;
      const { state } = servers;
      if (state.canCompare(identity)) return state.observeRevision(revision, identity);
      const { revision: asOf } = identity;
      const entries = session.run(() => readLedger([asOf - 1, asOf]), { asOf });
      return whenReady(entries, ([entry]) =>
        state.observeRevision(revision, identity, entry?.checksum ?? ''),
      );
    },
    lostRevision: () => servers.state.lostRevision,
    servers: () => servers.listServers(),
    close,
  };
}

/** Reads from whichever server is up to date, and never from another history than the first. */
export class PooledSession {
  readonly #asOfCache = new AsOfCache();

  constructor(
    private readonly servers: ServerPool,
    readonly dialect: Dialect,
    /** Identifies the history; if it is not given, that of the first look. */
    public storeId?: string,
  ) {}

  readonly isCurrent = (): boolean => {
    const { storeId } = this.servers.state;
    this.storeId ??= storeId;
    return this.storeId === storeId;
  };

  readonly run: QuerySession['run'] = (steps, { asOf, isSingleStatement: isShort } = {}) =>
    this.servers.read(async (server, newest) => {
      const assertUpToDate = () => this.assertUpToDate(server, newest, asOf);
      let revision = 0;
      const read = () =>
        runConsistently(server, function* () {
          revision = yield* assertUpToDate();
          return yield* steps();
        });
      const result = await (isShort ? read() : server.runLongRead(read));
      await this.confirmRevision(server, revision);
      return result;
    });

  /** A result has its revision: no other query is needed to see whether the server is up to date. */
  readonly readSelection: StoreReader['read'] = (selection) =>
    this.servers.read(async (server, newest) => {
      const steps = () => readSelection(selection, this.dialect, this.#asOfCache);
      const isSingle = isSingleStatement(selection);
      const read = () => runConsistently(server, steps, isSingle);
      const result = await (selection.includeTotal ? server.runLongRead(read) : read());
      assertHasRevision(server, result.revision, newest, selection.asOf);
      await this.confirmRevision(server, result.revision);
      return result;
    });

  /** Asks the primary, as a replica does not know what the primary is about to commit. */
  async findFinalRevision(instant: string, foundOnReplica: RevisionAt): Promise<RevisionAt> {
    try {
      const primary = await this.servers.getPrimary();
      const find = () => runSteps(primary.pool, findRevisionAt(instant));
      const found = await findSettledRevision(instant, find, primary.readCommitState);
      if (found.revision) await this.confirmRevision(primary, found.revision.revision);
      return found;
    } catch (cause) {
      // Without a primary nothing is published, but it may be back with a revision.
      if (!(cause instanceof StoreUnavailableError)) throw cause;
      return foundOnReplica;
    }
  }

  /**
   * Asserts that a server has every revision that any response was made from, and a given one;
   * returns the newest that it has.
   */
  *assertUpToDate(server: PostgresServer, newest: number, asOf?: number): QuerySteps<number> {
    const revision = yield* findNewestRevision();
    assertHasRevision(server, revision, newest);
    assertHasRevision(server, revision, newest, asOf);
    return revision;
  }

  /** Results of a history that was given up since are no longer sent. */
  async confirmRevision(server: PostgresServer, revision: number): Promise<void> {
    await this.servers.confirmRevision(server, revision);
    this.assertCurrent();
    // A primary whose timeline is unknown tells it by its responses alone.
    this.servers.state.recordRevision(revision);
  }

  assertCurrent(): void {
    if (!this.isCurrent()) throw new StoreUnavailableError('another history has taken its place');
  }
}

/**
 * Asserts that a server has the newest revision, or the one that is read. Another process may have
 * seen that one first, so that it can be above the newest one that is known here. If the
 * primary has lost that revision, after a restore, the newest one is read.
 */
function assertHasRevision(
  { heartbeat }: PostgresServer,
  revision: number,
  newest: number,
  asOf = newest,
): void {
  const required = heartbeat?.isStandby ? asOf : Math.min(asOf, newest);
  // It may have been replaced by an older one since its last heartbeat.
  if (revision < required) throw new ServerBehindError('a server has gone back in time');
}

/** Runs steps so that all of them see one revision. */
function runConsistently<T>(
  { workers, pool }: PostgresServer,
  steps: () => QuerySteps<T>,
  isSingle = false,
): Promise<T> {
  return workers
    ? runStatements((statement) => workers.run(statement), steps())
    : runInSnapshot(pool, steps, isSingle);
}

/** A session for a stream, which sees one revision, however long it takes. */
async function openStreamSession(
  server: PostgresServer,
  dialect: Dialect,
  assertUpToDate: (run: QuerySession['run']) => Promise<void>,
): Promise<{ session: QuerySession; close: () => void }> {
  const { workers } = server;
  if (workers) {
    const session = createClusterSession((statement) => workers.run(statement), dialect);
    await assertUpToDate(session.run);
    return { session, close: () => {} };
  }
  // In a transaction on its own connection.
  const { connection: pool, close } = server.connect('reading');
  return closeOnError(close, async () => {
    const connection = await reserveConnection(pool);
    await execute(connection, `BEGIN ${SNAPSHOT_ISOLATION}`);
    const session = createSession(connection, dialect);
    await assertUpToDate(session.run);
    return { session, close };
  });
}
