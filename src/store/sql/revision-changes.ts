import type { StorageTable } from '../../schema/storage-table.ts';
import type { ChangePosition, RecordChange } from '../reader.ts';
import { findCorrectedRows } from './corrections.ts';
import type { Dialect, UnionHints } from './dialect.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import { unionAll, withDistributionColumn } from './select-records.ts';
import {
  afterPositionCondition,
  isSameRecordSql,
  orderAndLimit,
  ownDistributedRows,
  ownRows,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';

interface ChangesPage {
  readonly limit: number;
  readonly after?: ChangePosition | undefined;
}

/** Changes by a revision: first corrections and retirements, then additions, each by key. */
export function* findRevisionChanges(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
  dialect: Dialect,
): QuerySteps<RecordChange[]> {
  const isAddition = after?.isAddition === true;
  const position = after && { after: { revision, key: after.key } };
  const corrections = { revision, before: revision + 1, limit, ...position };
  const superseded = isAddition ? [] : yield* findCorrectedRows(table, corrections, dialect);
  const page = { limit: limit - superseded.length, after: isAddition ? after : undefined };
  const added = yield* queryRows<{ record: string }>(
    addedRowsStatement(table, revision, page, dialect),
  );
  return [
    ...superseded.map(({ old, replacement }): RecordChange => {
      return { change: replacement === null ? 'retired' : 'corrected', old, new: replacement };
    }),
    ...added.map(({ record }): RecordChange => ({ change: 'added', old: null, new: record })),
  ];
}

/** Each half comes in order by its own index, so that a few of many are found without sorting. */
function addedRowsStatement(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
  hints: UnionHints,
): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const names = [...key.map(({ column }) => column), 'record'];
  const columns = withDistributionColumn(table, names, hints).map(
    (column) => `new.${column} AS ${column}`,
  );
  const newKey = key.map((ordered) => ({ ...ordered, column: `new.${ordered.column}` }));
  const superseded = `SELECT 1 FROM ${historyTable} AS old WHERE old.until = ? AND ${isSameRecordSql(table, 'old', 'new', hints)}`;
  const conditions: SqlCondition[] = [
    ...(hints.isDistributed ? ownDistributedRows : ownRows)(table, 'new'),
    ['new.since = ?', revision],
    ...(after ? [afterPositionCondition(newKey, after.key)] : []),
    [`NOT EXISTS (${superseded})`, revision],
  ];
  const halves = [currentTable, historyTable].map((from) =>
    selectWhere(columns, `${from} AS new`, conditions),
  );
  return unionAll(halves, ['record'], orderAndLimit(key, limit), hints);
}
