import { StoreUnavailableError } from '../errors.ts';
import type { StoreReader } from '../reader.ts';
import type { Dialect } from '../sql/dialect.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import type { QuerySteps } from '../sql/query-steps.ts';
import { isSingleStatement, readSelection } from '../sql/read-selection.ts';
import { readSigningSecret } from '../sql/signing-secret.ts';
import { createStoreQueries, streamRecords } from '../sql/store-queries.ts';
import { query, reserveConnection } from './connection.ts';
import type { PostgresServer } from './server-pool/server.ts';
import type { ServerPool } from './server-pool/server-pool.ts';
import { createSession, runInSnapshot, runSteps, SNAPSHOT_ISOLATION } from './session.ts';

/** A reader of the store that the servers hold. */
export function createPostgresReader(servers: ServerPool, dialect: Dialect): StoreReader {
  const walk = () => {
    throw new Error('a walk has a connection of its own');
  };
  const run = <T>(steps: () => QuerySteps<T>) =>
    servers.read((server, newest) =>
      runInSnapshot(server.pool, () => runIfUpToDate(servers, server, newest, steps), dialect),
    );
  return {
    ...createStoreQueries({ dialect, run, stream: walk }),
    revision: () => servers.newestRevision(),
    read: (selection) =>
      servers.read(async (server, newest) => {
        const work = () => readSelection(selection, dialect);
        const result = await runInSnapshot(
          server.pool,
          work,
          dialect,
          isSingleStatement(selection),
        );
        if (result.revision < Math.min(newest, selection.asOf ?? newest))
          throw createStaleServerError();
        servers.recordRevision(server, result.revision);
        return result;
      }),
    records: (dataset, asOf) => streamRecordsOverConnection(servers, dialect, dataset, asOf),
    secret: () => servers.read(({ pool }) => runSteps(pool, readSigningSecret())),
    close: servers.close,
  };
}

/** The work, once the server has shown that it has what any answer has told of before. */
function* runIfUpToDate<T>(
  servers: ServerPool,
  server: PostgresServer,
  newest: number,
  steps: () => QuerySteps<T>,
): QuerySteps<T> {
  const revision = yield* findNewestRevision();
  if (revision < newest) throw createStaleServerError();
  servers.recordRevision(server, revision);
  return yield* steps();
}

/** A server may have been replaced by an older one since it was last heard of. */
function createStaleServerError(): StoreUnavailableError {
  return new StoreUnavailableError('a server has gone back in time');
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* streamRecordsOverConnection(
  servers: ServerPool,
  dialect: Dialect,
  ...[dataset, asOf]: Parameters<StoreReader['records']>
): ReturnType<typeof streamRecords> {
  const { connection, close } = await servers.read((server, newest) =>
    beginSnapshot(servers, server, newest),
  );
  try {
    yield* streamRecords(createSession(connection, dialect), dataset, asOf);
  } finally {
    close();
  }
}

async function beginSnapshot(servers: ServerPool, server: PostgresServer, newest: number) {
  const { connection: pool, close } = server.connect('reading');
  try {
    const connection = await reserveConnection(pool);
    await query(connection, { sql: `BEGIN ${SNAPSHOT_ISOLATION}`, values: [] });
    await runSteps(connection, runIfUpToDate(servers, server, newest, noSteps));
    return { connection, close };
  } catch (cause) {
    close();
    throw cause;
  }
}

function* noSteps(): QuerySteps<void> {}
