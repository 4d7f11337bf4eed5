import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { ChangePosition, RecordChange } from '../reader.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import type { UnionHints } from './resolve-as-of.ts';
import { unionAll, withDistributionColumn } from './select-records.ts';
import {
  afterPositionCondition,
  bind,
  buildSql,
  keysEqualSql,
  orderAndLimit,
  type SqlCondition,
  selectWhere,
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
    buildSql`(SELECT new.record FROM ${from} AS new WHERE ${keysEqualSql(table, 'old', 'new')} AND new.since = ${bind(revision)})`;
  return buildSql`SELECT old.record AS old, coalesce(${replacement(currentTable)}, ${replacement(historyTable)}) AS new
    FROM ${historyTable} AS old${whereClause(conditions)}${orderAndLimit(key, limit)}`;
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
  const superseded = `SELECT 1 FROM ${historyTable} AS old WHERE old.until = ? AND ${keysEqualSql(table, 'old', 'new')}`;
  const conditions: SqlCondition[] = [
    ['new.since = ?', revision],
    ...pageConditions(qualifyKey(table, 'new'), after),
    [`NOT EXISTS (${superseded})`, revision],
  ];
  const halves = [currentTable, historyTable].map((from) =>
    selectWhere(columns, `${from} AS new`, conditions),
  );
  return unionAll(halves, ['record'], orderAndLimit(key, limit), hints);
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
