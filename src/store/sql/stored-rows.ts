import type { StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { EncodedRow, StoredRow } from '../rows.ts';
import type { KeyRange } from '../scrub-reader.ts';
import type { SqlStatement } from './query-steps.ts';
import {
  bind,
  buildSql,
  formatOrder,
  getStoredColumns,
  rangeConditions,
  type SqlCondition,
  selectWhere,
  whereClause,
} from './sql-fragments.ts';

/** Every row of a table, current and history, by key and then by age. */
export function storedRowsSql(table: StorageTable): string {
  const stored = getStoredColumns(table).join(', ');
  return `SELECT ${stored}, NULL AS until FROM ${table.currentTable} UNION ALL
    SELECT ${stored}, until FROM ${table.historyTable} ORDER BY ${storedOrder(table)}`;
}

/** As of a revision, because only some nodes of a cluster may show rows of a pending one. */
export function storedRowsUpToStatement(
  table: StorageTable,
  revision: number,
  range: readonly SqlCondition[] = [],
): SqlStatement {
  const stored = getStoredColumns(table).join(', ');
  // With the sign, no engine reads an index by revision in the place of the table.
  const conditions: SqlCondition[] = [['+since <= ?', revision], ...range];
  const where = whereClause(conditions);
  return buildSql`SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${table.currentTable}${where}
    UNION ALL SELECT ${stored}, CASE WHEN until <= ${bind(revision)} THEN until END AS until FROM ${table.historyTable}${where})
    AS stored ORDER BY ${storedOrder(table)}`;
}

function storedOrder({ key }: StorageTable): string {
  return formatOrder([...key, { column: 'since' }]);
}

/** The rows of a summary: up to a revision, and of a range of its first key column, if given. */
export function summaryRowsStatement(
  { name, columns, key: [first], revisionColumn }: SummaryTable,
  revision?: number,
  range: KeyRange = {},
): SqlStatement {
  return selectWhere(
    columns.map((column) => column.name),
    name,
    [
      ...(revision === undefined ? [] : [[`${revisionColumn} <= ?`, revision] as const]),
      ...rangeConditions(first?.column ?? '', range),
    ],
  );
}

export function toStoredRow(row: object): StoredRow {
  const { record, since, until, ...columns } = row as Pick<StoredRow, 'since' | 'until'> & {
    readonly record: unknown;
  };
  const values = Object.values(columns) as EncodedRow['columns'];
  // A damaged record may have another type than text.
  return { columns: values, json: String(record), since, until };
}
