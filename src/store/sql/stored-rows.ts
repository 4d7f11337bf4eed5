import type { StorageTable } from '../../schema/storage-table.ts';
import type { StoredRow } from '../inspector.ts';
import type { EncodedRow } from '../publisher.ts';
import type { SqlStatement, SqlValue } from './query-steps.ts';
import { formatOrder } from './select-records.ts';
import type { DateSlice } from './stream-by-date.ts';

/** Every row of a table, standing and past, by key and then by age. */
export function storedRowsSql({ currentTable, historyTable, columns, key }: StorageTable): string {
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  return `SELECT ${stored}, NULL AS until FROM ${currentTable} UNION ALL
    SELECT ${stored}, until FROM ${historyTable} ORDER BY ${formatOrder([...key, { column: 'since' }])}`;
}

/**
 * The same in a cluster, or of a part of it, as of a revision: of those that are being published
 * one machine may show what another does not yet.
 */
export function storedRowsUpToStatement(
  { currentTable, historyTable, columns, key }: StorageTable,
  revision: number,
  part?: DateSlice,
): SqlStatement {
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  const where = `WHERE since <= ?${part ? ' AND date >= ? AND date < ?' : ''}`;
  const values: SqlValue[] = [revision, ...(part ?? [])];
  const sql = `SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${currentTable} ${where}
    UNION ALL SELECT ${stored}, CASE WHEN until <= ? THEN until END AS until FROM ${historyTable} ${where})
    AS stored ORDER BY ${formatOrder([...key, { column: 'since' }])}`;
  return { sql, values: [...values, revision, ...values] };
}

/** A row as it was stored. */
export function toStoredRow(row: object): StoredRow {
  const { record, since, until, ...selecting } = row as StoredRowRecord;
  const columns = Object.values(selecting) as EncodedRow['columns'];
  // What is damaged may be of another type than what was stored.
  return { columns, json: String(record), since, until };
}

/** The columns that select a row, and what is stored with them. */
type StoredRowRecord = {
  readonly record: string;
  readonly since: number;
  readonly until: number | null;
} & Readonly<Record<string, unknown>>;
