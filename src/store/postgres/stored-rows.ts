import type { StorageTable } from '../../schema/storage-table.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import { storedRowsSql, storedRowsUpToStatement } from '../sql/stored-rows.ts';
import { streamByDateSlice } from '../sql/stream-by-date.ts';
import { isDistributed } from './citus/distribute.ts';
import type { SqlExecutor } from './connection.ts';
import { distributedDialect } from './dialect.ts';
import { createSession, runSteps, streamRows } from './session.ts';

/** Every row of a table, standing and past, within a transaction that sees one revision. */
export async function* streamStoredRows(
  connection: SqlExecutor,
  table: StorageTable,
): AsyncGenerator<SqlRows> {
  if (!(await isDistributed(connection))) {
    yield* streamRows(connection, { sql: storedRowsSql(table), values: [] });
    return;
  }
  const revision = await runSteps(connection, findNewestRevision());
  const session = createSession(connection, distributedDialect);
  yield* table.distributionColumn === undefined
    ? session.stream(storedRowsUpToStatement(table, revision))
    : streamByDateSlice(session, table, (part) => storedRowsUpToStatement(table, revision, part));
}
