import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { withTimeout } from '../../shared/awaitable.ts';
import { formatPublicAddress } from '../../shared/postgres-url.ts';
import { system } from '../../shared/system.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { StoreInspector } from '../inspector.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createInspectorQueries } from '../sql/inspector-queries.ts';
import { queryShards } from './citus/query-shards.ts';
import { compareIndexes, type ReadSnapshot } from './compare-indexes.ts';
import { closeImmediately, createReadPool } from './connection-pool.ts';
import { throwStoreError } from './errors.ts';
import { execute } from './query.ts';
import { findSchemaDifferences } from './schema/schema-differences.ts';
import { runStatements, runSteps, SNAPSHOT_ISOLATION } from './session.ts';

/** Reads from one server, on one connection. */
export function createPostgresInspector(
  url: string,
  dialect: Dialect,
  catalogue: readonly Dataset[],
): StoreInspector {
  const pool = createReadPool(url, 1, { poolSize: 1, ...dialect });
  const read = createSnapshotReader(pool);
  const queries = createInspectorQueries({
    dialect,
    run: (steps) =>
      readWithRetries(() =>
        // A snapshot of a cluster would lack shards that are moved.
        dialect.isDistributed
          ? runStatements((statement) => queryShards(pool, statement), steps())
          : read((connection) => runSteps(connection, steps())),
      ),
  });
  return {
    ...queries,
    server: formatPublicAddress(url),
    async *structureFaults() {
      yield { faults: await read((connection) => findSchemaDifferences(connection, catalogue)) };
      if (!dialect.isDistributed) yield* compareIndexes(read, catalogue);
    },
    close: () => closeImmediately(pool),
  };
}

/** Each read is a transaction with a limit for its statements, and for the silence of the server. */
export function createSnapshotReader(
  pool: SQL,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): ReadSnapshot {
  return (callback) => {
    const result = pool
      .begin(SNAPSHOT_ISOLATION, async (connection) => {
        await execute(connection, `SET LOCAL statement_timeout = ${statementTimeoutMs}`);
        return callback(connection);
      })
      .catch(throwStoreError);
    const limitMs = SILENCE_FACTOR * statementTimeoutMs;
    return withTimeout(result, limitMs, () => {
      closeImmediately(pool);
      return new StoreUnavailableError(`the server was silent for ${limitMs} ms`);
    });
  };
}

/** For an index of some gigabytes; a slice takes milliseconds. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A transaction has at most two long statements, and a connection may fall silent. */
const SILENCE_FACTOR = 2;
/** A restart takes this long, and a check longer: it does not start again for one. */
const MAX_RETRIES = 5;
const RETRY_DELAY_MS = 1_000;

async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (cause) {
      // The database may be damaged in any way: no error of the server is a bug of ours.
      if (cause instanceof SQL.PostgresError)
        throw new StoreUnavailableError(cause.message, { cause });
      const canRetry =
        cause instanceof StoreUnavailableError && !(cause instanceof StoreDamagedError);
      if (!canRetry || retries === MAX_RETRIES) throw cause;
      await system.sleep(RETRY_DELAY_MS);
    }
  }
}
