import type { StorageTable } from '../../derive/table.ts';
import { storedRowsSql, storedRowsUpToStatement } from '../sql/inspect.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import { streamByDateSlice } from '../sql/parts.ts';
import type { SqlRows } from '../sql/steps.ts';
import { isDistributed } from './cluster/citus.ts';
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
  yield* table.home === undefined
    ? session.walk(storedRowsUpToStatement(table, revision))
    : streamByDateSlice(session, table, (part) => storedRowsUpToStatement(table, revision, part));
}
