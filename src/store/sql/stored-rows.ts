import type { StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { KeyRange } from '../inspector.ts';
import type { EncodedRow, StoredRow } from '../rows.ts';
import type { SqlStatement } from './query-steps.ts';
import {
  bind,
  buildSql,
  formatOrder,
  getStoredColumns,
  ownRows,
  rangeConditions,
  type SqlCondition,
  selectWhere,
  whereClause,
} from './sql-fragments.ts';

/**
 * Every row of a table, current and history, by key and then by age; as of a revision if one is given,
 * because only some nodes of a cluster may show rows of a pending one.
 */
export function storedRowsStatement(
  table: StorageTable,
  revision: number | undefined,
  range: readonly SqlCondition[],
): SqlStatement {
  const stored = getStoredColumns(table).join(', ');
  // With the sign, no engine reads an index by revision in the place of the table.
  const conditions: SqlCondition[] =
    revision === undefined ? [...range] : [['+since <= ?', revision], ...range];
  const where = whereClause([...ownRows(table), ...conditions]);
  const until =
    revision === undefined
      ? 'until'
      : buildSql`CASE WHEN until <= ${bind(revision)} THEN until END`;
  return buildSql`SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${table.currentTable}${where}
    UNION ALL SELECT ${stored}, ${until} AS until FROM ${table.historyTable}${where})
    AS stored ORDER BY ${formatOrder([...table.key, { column: 'since' }])}`;
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
