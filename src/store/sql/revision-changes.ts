import type { StorageTable } from '../../schema/storage-table.ts';
import type { RecordChange } from '../reader.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import { queryRows } from './query-steps.ts';
import type { UnionHints } from './select-records.ts';
import { formatOrder, unionAll, withDistributionColumn } from './select-records.ts';

/** What a revision did: first what it corrected or retired, then what it added, each by key. */
export function* findRevisionChanges(
  table: StorageTable,
  revision: number,
  limit: number,
  putting: UnionHints = {},
): QuerySteps<RecordChange[]> {
  const ended = yield* queryRows<ReplacedRow>(replacedRowsSql(table), [
    revision,
    revision,
    revision,
    limit,
  ]);
  const { sql, values } = addedRowsStatement(table, revision, limit - ended.length, putting);
  const added = yield* queryRows<AddedRow>(sql, values);
  return [
    ...ended.map(({ old, replacement }): RecordChange => {
      const change = replacement === null ? 'retired' : 'corrected';
      return { change, old, new: replacement };
    }),
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
 * Records that ended with a revision, each with what it put in their place, which is looked up by
 * key, whether it still stands or not; takes R, R, R, limit.
 */
function replacedRowsSql(table: StorageTable): string {
  const { currentTable, historyTable, key } = table;
  const begun = (from: string) =>
    `(SELECT new.record FROM ${from} AS new WHERE ${keysEqualSql(table, 'old', 'new')} AND new.since = ?)`;
  return `SELECT old.record AS old, coalesce(${begun(currentTable)}, ${begun(historyTable)}) AS replacement
    FROM ${historyTable} AS old WHERE old.until = ? ORDER BY ${formatOrder(key.map(qualifyColumn('old')))} LIMIT ?`;
}

/**
 * Records that were not there before a revision. Each half comes in order by its own index, so
 * that a few of many are found without sorting all.
 */
function addedRowsStatement(
  table: StorageTable,
  revision: number,
  limit: number,
  putting: UnionHints,
): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const wanted = withDistributionColumn(
    table,
    [...key.map(({ column }) => column), 'record'],
    putting,
  );
  const columns = wanted.map((column) => `new.${column} AS ${column}`).join(', ');
  const begun = (from: string): SqlStatement => ({
    sql: `SELECT ${columns} FROM ${from} AS new
      WHERE new.since = ? AND NOT EXISTS (SELECT 1 FROM ${historyTable} AS old
        WHERE old.until = ? AND ${keysEqualSql(table, 'old', 'new')})`,
    values: [revision, revision],
  });
  const tail = { sql: `ORDER BY ${formatOrder(key)} LIMIT ?`, values: [limit] };
  return unionAll([begun(currentTable), begun(historyTable)], ['record'], tail, putting);
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
