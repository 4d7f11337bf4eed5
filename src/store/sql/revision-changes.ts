import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { ChangePosition, RecordChange } from '../reader.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import type { UnionHints } from './resolve-as-of.ts';
import { unionAll, withDistributionColumn } from './select-records.ts';
import {
  afterPositionCondition,
  formatOrder,
  getConditionValues,
  keysEqualSql,
  type SqlCondition,
  whereClause,
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
  hints: UnionHints = {},
): QuerySteps<RecordChange[]> {
  const isAddition = after?.isAddition === true;
  const superseded = isAddition
    ? []
    : yield* queryRows<Pick<RecordChange, 'old' | 'new'>>(
        supersededRowsStatement(table, revision, { limit, after }),
      );
  const page = { limit: limit - superseded.length, after: isAddition ? after : undefined };
  const added = yield* queryRows<{ record: string }>(
    addedRowsStatement(table, revision, page, hints),
  );
  return [
    ...superseded.map((row): RecordChange => {
      const change = row.new === null ? 'retired' : 'corrected';
      return { change, old: row.old, new: row.new };
    }),
    ...added.map(({ record }): RecordChange => ({ change: 'added', old: null, new: record })),
  ];
}

/** Records that a revision superseded, each with its replacement, which may be superseded too. */
function supersededRowsStatement(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
): SqlStatement {
  const { currentTable, historyTable } = table;
  const key = qualifyKey(table, 'old');
  const conditions = [['old.until = ?', revision] as const, ...pageConditions(key, after)];
  const replacement = (from: string) =>
    `(SELECT new.record FROM ${from} AS new WHERE ${keysEqualSql(table, 'old', 'new')} AND new.since = ?)`;
  return {
    sql: `SELECT old.record AS old, coalesce(${replacement(currentTable)}, ${replacement(historyTable)}) AS new
      FROM ${historyTable} AS old${whereClause(conditions)} ORDER BY ${formatOrder(key)} LIMIT ?`,
    values: [revision, revision, ...getConditionValues(conditions), limit],
  };
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
  const columns = withDistributionColumn(table, names, hints)
    .map((column) => `new.${column} AS ${column}`)
    .join(', ');
  const superseded = `SELECT 1 FROM ${historyTable} AS old WHERE old.until = ? AND ${keysEqualSql(table, 'old', 'new')}`;
  const conditions: SqlCondition[] = [
    ['new.since = ?', revision],
    ...pageConditions(qualifyKey(table, 'new'), after),
    [`NOT EXISTS (${superseded})`, revision],
  ];
  const select = (from: string): SqlStatement => ({
    sql: `SELECT ${columns} FROM ${from} AS new${whereClause(conditions)}`,
    values: getConditionValues(conditions),
  });
  const tail = { sql: `ORDER BY ${formatOrder(key)} LIMIT ?`, values: [limit] };
  return unionAll([select(currentTable), select(historyTable)], ['record'], tail, hints);
}

function pageConditions(
  key: readonly OrderedColumn[],
  after: ChangePosition | undefined,
): SqlCondition[] {
  return after ? [afterPositionCondition(key, after.key)] : [];
}

function qualifyKey({ key }: StorageTable, table: string): OrderedColumn[] {
  return key.map((ordered) => ({ ...ordered, column: `${table}.${ordered.column}` }));
}
