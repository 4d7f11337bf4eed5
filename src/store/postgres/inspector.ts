import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import { findNewestRevision, readLedger } from '../sql/ledger.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import {
  storedRowsSql,
  storedRowsUpToStatement,
  summaryRowsStatement,
  toStoredRow,
} from '../sql/stored-rows.ts';
import { streamByDateSlice } from '../sql/stream-by-date.ts';
import type { StoreInspector } from '../store.ts';
import { isDistributed } from './citus/distribute.ts';
import { closeImmediately, createWriteConnection, reserveConnection } from './connection-pool.ts';
import { distributedDialect } from './dialect.ts';
import { execute, query } from './query.ts';
import { findSchemaDifferences } from './schema/compare-schema.ts';
import { createSession, runSteps, SNAPSHOT_ISOLATION, streamRows } from './session.ts';

/** Reads everything in one transaction, so that all of it is from one revision. */
export function createPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): StoreInspector {
  const pool = createWriteConnection(url);
  const connection = beginSnapshot(pool);
  // The first query throws the error; there may be none.
  connection.catch(() => {});
  const run = async <T>(callback: (connection: SQL) => Promise<T>): Promise<T> => {
    try {
      return await callback(await connection);
    } catch (cause) {
      throw toUnreadableError(cause);
    }
  };
  return {
    findStructureFaults: () => run((connection) => findSchemaDifferences(connection, catalogue)),
    async *rows(table) {
      try {
        for await (const batch of streamStoredRows(await connection, table)) {
          yield batch.map(toStoredRow);
        }
      } catch (cause) {
        throw toUnreadableError(cause);
      }
    },
    summaryRows: (table) =>
      run(async (connection) => {
        // Rows of a pending revision are not those of the newest one.
        const revision = await runSteps(connection, findNewestRevision());
        const rows = await query(connection, summaryRowsStatement(table, revision));
        return rows.map((row) => Object.values(row));
      }),
    ledger: () => run((connection) => runSteps(connection, readLedger())),
    close: () => closeImmediately(pool),
  };
}

async function beginSnapshot(pool: SQL): Promise<SQL> {
  const connection = await reserveConnection(pool);
  await execute(connection, `BEGIN ${SNAPSHOT_ISOLATION}`);
  return connection;
}

/** The database may be damaged in any way: no PostgreSQL error is a bug of ours. */
function toUnreadableError(cause: unknown): unknown {
  return cause instanceof SQL.PostgresError
    ? new StoreUnavailableError(cause.message, { cause })
    : cause;
}

async function* streamStoredRows(connection: SQL, table: StorageTable): AsyncGenerator<SqlRows> {
  if (!(await isDistributed(connection))) {
    yield* streamRows(connection, { sql: storedRowsSql(table) });
    return;
  }
  const revision = await runSteps(connection, findNewestRevision());
  const session = createSession(connection, distributedDialect);
  yield* table.distributionColumn === undefined
    ? session.stream(storedRowsUpToStatement(table, revision))
    : streamByDateSlice(session, table, (slice) => storedRowsUpToStatement(table, revision, slice));
}
