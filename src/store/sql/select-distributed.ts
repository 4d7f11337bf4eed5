import type { StorageTable } from '../../schema/storage-table.ts';
import { ABOVE_ALL_REVISIONS, type ResolvedAsOf, type UnionHints } from './as-of.ts';
import type { SqlStatement } from './query-steps.ts';
import {
  getConditionValues,
  getStoredColumns,
  type SqlCondition,
  whereClause,
} from './sql-fragments.ts';

/**
 * Columns of the records as of a revision, on any node. Citus pushes a union down to the nodes, so
 * that each sorts and limits its own rows, only if the union has the distribution column and the
 * conditions are outside of it. As of the newest revision, the only superseded rows are those of a
 * pending revision, which the index on `until` finds.
 */
export function selectDistributed(
  table: StorageTable,
  columns: readonly string[],
  conditions: readonly SqlCondition[],
  { asOf: { revision, isNewest }, tail }: { asOf: ResolvedAsOf; tail: SqlStatement },
): SqlStatement {
  const { currentTable, historyTable } = table;
  const stored = getStoredColumns(table).join(', ');
  const union = isNewest
    ? `SELECT ${stored} FROM ${currentTable} UNION ALL SELECT ${stored} FROM ${historyTable} WHERE until > ?`
    : `SELECT ${stored}, ${ABOVE_ALL_REVISIONS} AS until FROM ${currentTable} UNION ALL SELECT ${stored}, until FROM ${historyTable}`;
  const isValid: SqlCondition = [isNewest ? 'since <= ?' : 'until > ? AND since <= ?'];
  return {
    sql: `SELECT ${columns.join(', ')} FROM (${union}) AS stored${whereClause([isValid, ...conditions])}${tail.sql}`,
    values: [revision, revision, ...getConditionValues(conditions), ...tail.values],
  };
}

/** The columns of a union; in a cluster with the distribution column. */
export function withDistributionColumn(
  { distributionColumn }: StorageTable,
  columns: readonly string[],
  { isDistributed }: UnionHints,
): string[] {
  const added = isDistributed && distributionColumn !== undefined ? [distributionColumn] : [];
  return [...new Set([...columns, ...added])];
}
