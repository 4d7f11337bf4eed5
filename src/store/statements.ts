import type { Table } from '../derive/table.ts';
import { folded } from '../derive/table.ts';
import type { Quotes } from './selection.ts';

/** A statement and the values for its placeholders. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** How a security is looked up: by which of the two columns. */
export type SecurityColumn = 'symbol_key' | 'isin_key';

/** Every record of a series, newest first. */
export function wholeSeries(table: Table): Statement {
  return { sql: joined(`SELECT record FROM ${table.now} ORDER BY place DESC`), values: [] };
}

/** The record of one fund, if there is one. */
export function oneFund(table: Table, id: string): Statement {
  const sql = joined(`SELECT record FROM ${table.now} WHERE fund_key = ?`);
  return { sql, values: [folded(id)] };
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExists(table: Table, security: string): Statement {
  return {
    sql: `SELECT 1 FROM ${table.now} WHERE symbol_key = ? LIMIT 1`,
    values: [folded(security)],
  };
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function someQuotes(
  table: Table,
  selection: Quotes,
  by: SecurityColumn = 'symbol_key',
): Statement {
  const { security, type, between, limit } = selection;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (security !== undefined) {
    conditions.push(`${by} = ?`);
    values.push(folded(security));
  }
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from walking every record of the type instead.
    conditions.push(security === undefined ? 'type = ?' : "type || '' = ?");
    values.push(type);
  }
  if (between) {
    conditions.push('date BETWEEN ? AND ?');
    values.push(...between);
  } else {
    const newest = `SELECT date FROM ${table.now}${where(conditions)} ORDER BY date DESC LIMIT 1`;
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push(`date >= (${newest})`);
    values.push(...values);
  }
  const sql = `SELECT record FROM ${table.now}${where(conditions)} ORDER BY date DESC, symbol LIMIT ?`;
  return { sql: joined(sql), values: [...values, limit] };
}

/** The records as one text, with their number and the revision that they stand in. */
function joined(records: string): string {
  return `SELECT (SELECT max(revision) FROM revisions) AS revision,
    count(*) AS count, string_agg(record, ',') AS records FROM (${records}) AS found`;
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
