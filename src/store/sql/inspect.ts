import type { Table } from '../../derive/table.ts';
import type { Row, StoredRow } from '../store.ts';
import type { Part } from './parts.ts';
import { orderedList } from './standing.ts';
import type { Statement, Value } from './steps.ts';

/** Every row of a table, standing and past, by key and then by age. */
export function storedRows({ now, past, columns, key }: Table): string {
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  return `SELECT ${stored}, NULL AS until FROM ${now} UNION ALL
    SELECT ${stored}, until FROM ${past} ORDER BY ${orderedList([...key, { column: 'since' }])}`;
}

/**
 * The same in a cluster, or of a part of it, as of a revision: of those that are being published
 * one machine may show what another does not yet.
 */
export function storedRowsUpTo(
  { now, past, columns, key }: Table,
  revision: number,
  part?: Part,
): Statement {
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  const where = `WHERE since <= ?${part ? ' AND date >= ? AND date < ?' : ''}`;
  const values: Value[] = [revision, ...(part ?? [])];
  const sql = `SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${now} ${where}
    UNION ALL SELECT ${stored}, CASE WHEN until <= ? THEN until END AS until FROM ${past} ${where})
    AS stored ORDER BY ${orderedList([...key, { column: 'since' }])}`;
  return { sql, values: [...values, revision, ...values] };
}

/** A row as it was stored. */
export function storedRow(row: object): StoredRow {
  const { record, since, until, ...selecting } = row as Stored;
  const columns = Object.values(selecting) as Row['columns'];
  // What is damaged may be of another type than what was stored.
  return { columns, text: String(record), since, until };
}

/** The columns that select a row, and what is stored with them. */
type Stored = {
  readonly record: string;
  readonly since: number;
  readonly until: number | null;
} & Readonly<Record<string, unknown>>;
