import type { Table } from '../../derive/table.ts';
import { storedRows, storedRowsUpTo } from '../sql/inspect.ts';
import { newestRevision } from '../sql/ledger.ts';
import { walkInParts } from '../sql/parts.ts';
import type { Rows } from '../sql/steps.ts';
import { isDistributed } from './cluster/citus.ts';
import type { Asked } from './connection.ts';
import { manyServers } from './dialect.ts';
import { sessionOn, take, walk } from './session.ts';

/** Every row of a table, standing and past, within a transaction that sees one revision. */
export async function* storedIn(connection: Asked, table: Table): AsyncGenerator<Rows> {
  if (!(await isDistributed(connection))) {
    yield* walk(connection, { sql: storedRows(table), values: [] });
    return;
  }
  const revision = await take(connection, newestRevision());
  const session = sessionOn(connection, manyServers);
  yield* table.home === undefined
    ? session.walk(storedRowsUpTo(table, revision))
    : walkInParts(session, table, (part) => storedRowsUpTo(table, revision, part));
}
