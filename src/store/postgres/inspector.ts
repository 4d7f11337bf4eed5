import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { onceAsync } from '../../shared/memoize.ts';
import { formatPublicAddress } from '../../shared/postgres-url.ts';
import { system } from '../../shared/system.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { StoreInspector } from '../inspector.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createScrubQueries } from '../sql/scrub-queries.ts';
import { queryShards } from './citus/query-shards.ts';
import { closeImmediately, createWriteConnection, reserveConnection } from './connection-pool.ts';
import { execute } from './query.ts';
import { PooledSession } from './reader.ts';
import { findSchemaDifferences } from './schema/schema-differences.ts';
import { findIndexFaults } from './server-fingerprint.ts';
import { ServerPool } from './server-pool/server-pool.ts';
import { runStatements, SNAPSHOT_ISOLATION } from './session.ts';

/**
 * Reads everything in one transaction, for a check; in a cluster as of one revision, because a
 * snapshot would lack shards that are moved.
 */
export function createPostgresInspector(
  url: string,
  dialect: Dialect,
  catalogue: readonly Dataset[],
): StoreInspector {
  const pool = createWriteConnection(url);
  const connected = reserveConnection(pool).then(async (connection) => {
    if (!dialect.isDistributed) await execute(connection, `BEGIN ${SNAPSHOT_ISOLATION}`);
    return connection;
  });
  // The first query throws the error; there may be none.
  connected.catch(() => {});
  const withConnection = <T>(callback: (connection: SQL) => Promise<T>): Promise<T> =>
    connected.then(callback).catch(throwUnreadableError);
  const queries = createScrubQueries({
    dialect,
    run: (steps) =>
      withConnection((connection) =>
        runStatements((statement) => queryShards(connection, statement), steps()),
      ),
  });
  return {
    ...queries,
    server: formatPublicAddress(url),
    revision: dialect.isDistributed ? onceAsync(queries.revision) : async () => undefined,
    async *structureFaults() {
      yield { faults: await withConnection((sql) => findSchemaDifferences(sql, catalogue)) };
    },
    close: () => closeImmediately(pool),
  };
}

/** The database may be damaged in any way: no PostgreSQL error is a bug of ours. */
function throwUnreadableError(cause: unknown): never {
  if (!(cause instanceof SQL.PostgresError)) throw cause;
  throw new StoreUnavailableError(cause.message, { cause });
}

/** Reads from replicas where there are some, on one connection at a time. */
export function createPostgresScrubReader(
  urls: readonly string[],
  dialect: Dialect,
  catalogue: readonly Dataset[],
): StoreInspector {
  const servers = new ServerPool(urls, { poolSize: 1, maxLongReads: 1, ...dialect });
  const { run } = new PooledSession(servers, dialect);
  return {
    ...createScrubQueries({
      dialect,
      run: async (steps, options) => readWithRetries(async () => run(steps, options)),
    }),
    async *structureFaults() {
      for (const url of urls) yield* findIndexFaults(url, dialect, catalogue);
    },
    close: () => servers.close(),
  };
}

/** A restart takes this long, and a scrub longer: it does not start again for one. */
const MAX_RETRIES = 5;
const RETRY_DELAY_MS = 1_000;

async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError) || cause instanceof StoreDamagedError)
        throw cause;
      if (retries === MAX_RETRIES) throw cause;
      await system.sleep(RETRY_DELAY_MS);
    }
  }
}
