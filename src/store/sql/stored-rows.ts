import type { StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { EncodedRow } from '../rows.ts';
import type { StoredRow } from '../store.ts';
import type { SqlStatement } from './query-steps.ts';
import {
  formatOrder,
  getConditionValues,
  getStoredColumns,
  type SqlCondition,
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
  const values = getConditionValues(conditions);
  const sql = `SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${table.currentTable}${where}
    UNION ALL SELECT ${stored}, CASE WHEN until <= ? THEN until END AS until FROM ${table.historyTable}${where})
    AS stored ORDER BY ${storedOrder(table)}`;
  return { sql, values: [...values, revision, ...values] };
}

function storedOrder({ key }: StorageTable): string {
  return formatOrder([...key, { column: 'since' }]);
}

/** Every row of a summary, up to a revision where one is given. */
export function summaryRowsStatement(
  { name, columns, revisionColumn }: SummaryTable,
  revision?: number,
): SqlStatement {
  const sql = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name}`;
  return revision === undefined
    ? { sql, values: [] }
    : { sql: `${sql} WHERE ${revisionColumn} <= ?`, values: [revision] };
}

export function toStoredRow(row: object): StoredRow {
  const { record, since, until, ...columns } = row as Pick<StoredRow, 'since' | 'until'> & {
    readonly record: unknown;
  };
  const values = Object.values(columns) as EncodedRow['columns'];
  // A damaged record may have another type than text.
  return { columns: values, json: String(record), since, until };
}
