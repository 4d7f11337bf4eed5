import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { ChangePosition, RecordChange } from '../reader.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import { queryRows } from './query-steps.ts';
import type { SqlCondition, UnionHints } from './select-records.ts';
import {
  afterPositionCondition,
  formatOrder,
  unionAll,
  withDistributionColumn,
} from './select-records.ts';

interface ChangesPage {
  readonly limit: number;
  readonly after?: ChangePosition | undefined;
}

/** What a revision did: first what it corrected or retired, then what it added, each by key. */
export function* findRevisionChanges(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
  hints: UnionHints = {},
): QuerySteps<RecordChange[]> {
  const replaced: RecordChange[] = [];
  if (!after?.isAddition) {
    const { sql, values } = replacedRowsStatement(table, revision, { limit, after });
    for (const { old, replacement } of yield* queryRows<ReplacedRow>(sql, values)) {
      const change = replacement === null ? 'retired' : 'corrected';
      replaced.push({ change, old, new: replacement });
    }
  }
  const { sql, values } = addedRowsStatement(
    table,
    revision,
    { limit: limit - replaced.length, after: after?.isAddition ? after : undefined },
    hints,
  );
  const added = yield* queryRows<AddedRow>(sql, values);
  return [
    ...replaced,
    ...added.map(({ record }): RecordChange => ({ change: 'added', old: null, new: record })),
  ];
}

interface AddedRow {
  readonly record: string;
}

interface ReplacedRow {
  readonly old: string;
  readonly replacement: string | null;
}

/**
 * Records that a revision replaced or retired, each with its replacement, which is looked up by
 * key, whether it is still current or not.
 */
function replacedRowsStatement(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
): SqlStatement {
  const { currentTable, historyTable } = table;
  const key = table.key.map(qualifyColumn('old'));
  const [condition, ...position] = pageCondition(key, after);
  const replacement = (from: string) =>
    `(SELECT new.record FROM ${from} AS new WHERE ${keysEqualSql(table, 'old', 'new')} AND new.since = ?)`;
  return {
    sql: `SELECT old.record AS old, coalesce(${replacement(currentTable)}, ${replacement(historyTable)}) AS replacement
      FROM ${historyTable} AS old WHERE old.until = ?${condition} ORDER BY ${formatOrder(key)} LIMIT ?`,
    values: [revision, revision, revision, ...position, limit],
  };
}

function pageCondition(
  key: readonly OrderedColumn[],
  after: ChangePosition | undefined,
): SqlCondition {
  if (!after) return [''];
  const [sql, ...values] = afterPositionCondition(key, after.key);
  return [` AND ${sql}`, ...values];
}

/**
 * Records that were not there before a revision. Each half comes in order by its own index, so
 * that a few of many are found without sorting all.
 */
function addedRowsStatement(
  table: StorageTable,
  revision: number,
  { limit, after }: ChangesPage,
  hints: UnionHints,
): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const selected = withDistributionColumn(
    table,
    [...key.map(({ column }) => column), 'record'],
    hints,
  );
  const columns = selected.map((column) => `new.${column} AS ${column}`).join(', ');
  const [condition, ...position] = pageCondition(key.map(qualifyColumn('new')), after);
  const addedTo = (from: string): SqlStatement => ({
    sql: `SELECT ${columns} FROM ${from} AS new
      WHERE new.since = ?${condition} AND NOT EXISTS (SELECT 1 FROM ${historyTable} AS old
        WHERE old.until = ? AND ${keysEqualSql(table, 'old', 'new')})`,
    values: [revision, ...position, revision],
  });
  const tail = { sql: `ORDER BY ${formatOrder(key)} LIMIT ?`, values: [limit] };
  return unionAll([addedTo(currentTable), addedTo(historyTable)], ['record'], tail, hints);
}

/** Whether two rows have the same key. That they share a home is told to engines that need it. */
export function keysEqualSql(table: StorageTable, a: string, b: string): string {
  return getKeyColumns(table)
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(' AND ');
}

/** The columns that find a record: its key, and where it is kept. */
export function getKeyColumns({ key, distributionColumn }: StorageTable): string[] {
  return [
    ...key.map(({ column }) => column),
    ...(distributionColumn === undefined ? [] : [distributionColumn]),
  ];
}

function qualifyColumn(table: string) {
  return <T extends { column: string }>(ordered: T): T => ({
    ...ordered,
    column: `${table}.${ordered.column}`,
  });
}
