import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { onceAsync } from '../../shared/memoize.ts';
import { formatPublicAddress } from '../../shared/postgres-url.ts';
import { StoreUnavailableError } from '../errors.ts';
import { findNewestRevision, readLedger } from '../sql/ledger.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import { rangeConditions } from '../sql/sql-fragments.ts';
import {
  storedRowsSql,
  storedRowsUpToStatement,
  summaryRowsStatement,
  toStoredRow,
} from '../sql/stored-rows.ts';
import { streamByDateSlice } from '../sql/stream-by-date-slice.ts';
import type { StoreInspector } from '../store.ts';
import { isDistributed } from './citus/distribute.ts';
import { queryShards } from './citus/query-shards.ts';
import { closeImmediately, createWriteConnection, reserveConnection } from './connection-pool.ts';
import { distributedDialect } from './dialect.ts';
import { execute } from './query.ts';
import { findSchemaDifferences } from './schema/schema-differences.ts';
import { createClusterSession, runSteps, SNAPSHOT_ISOLATION, streamRows } from './session.ts';

/** Reads everything as of one revision. */
export function createPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): StoreInspector {
  const pool = createWriteConnection(url);
  const inspection = beginInspection(pool);
  // The first query throws the error; there may be none.
  inspection.catch(() => {});
  const run = <T>(callback: (inspection: Inspection) => Promise<T>): Promise<T> =>
    inspection.then(callback).catch(throwUnreadableError);
  return {
    server: formatPublicAddress(url),
    findStructureFaults: () =>
      run(({ connection }) => findSchemaDifferences(connection, catalogue)),
    async *rows(table) {
      try {
        for await (const batch of streamStoredRows(await inspection, table)) {
          yield batch.map(toStoredRow);
        }
      } catch (cause) {
        throwUnreadableError(cause);
      }
    },
    summaryRows: (table) =>
      run(async ({ connection, getRevision }) => {
        // Rows of a pending revision are not those of the newest one.
        const statement = summaryRowsStatement(table, await getRevision());
        return (await queryShards(connection, statement)).map((row) => Object.values(row));
      }),
    ledger: () =>
      run(async ({ connection, isCluster, getRevision }) => {
        const newest = isCluster ? await getRevision() : Number.POSITIVE_INFINITY;
        const entries = await runSteps(connection, readLedger());
        return entries.filter(({ revision }) => !(revision > newest));
      }),
    close: () => closeImmediately(pool),
  };
}

interface Inspection {
  readonly connection: SQL;
  readonly isCluster: boolean;
  /** The newest revision when this is first called. */
  getRevision(): Promise<number>;
}

/** In one transaction, except in a cluster, where a snapshot would lack shards that are moved. */
async function beginInspection(pool: SQL): Promise<Inspection> {
  const connection = await reserveConnection(pool);
  const isCluster = await isDistributed(connection);
  if (!isCluster) await execute(connection, `BEGIN ${SNAPSHOT_ISOLATION}`);
  const getRevision = onceAsync(() => runSteps(connection, findNewestRevision()));
  return { connection, isCluster, getRevision };
}

/** The database may be damaged in any way: no PostgreSQL error is a bug of ours. */
function throwUnreadableError(cause: unknown): never {
  if (!(cause instanceof SQL.PostgresError)) throw cause;
  throw new StoreUnavailableError(cause.message, { cause });
}

async function* streamStoredRows(
  { connection, isCluster, getRevision }: Inspection,
  table: StorageTable,
): AsyncGenerator<SqlRows> {
  if (!isCluster) {
    yield* streamRows(connection, { sql: storedRowsSql(table) });
    return;
  }
  const revision = await getRevision();
  const session = createClusterSession(
    (statement) => queryShards(connection, statement),
    distributedDialect,
  );
  yield* table.distributionColumn === undefined
    ? session.stream(storedRowsUpToStatement(table, revision))
    : streamByDateSlice(session, table, ([from, before]) =>
        storedRowsUpToStatement(table, revision, rangeConditions('date', { from, before })),
      );
}
