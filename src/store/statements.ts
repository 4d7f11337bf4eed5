import type { Ordered, Table } from '../derive/table.ts';
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
export function wholeSeries(table: Table, asOf?: number): Statement {
  return joined(standing(table, ['record'], [], { asOf, order: [...table.key] }));
}

/** Every record of a dataset, one by one, in the order of answers. */
export function everyRecord(table: Table, asOf?: number): Statement {
  return standing(table, ['record'], [], { asOf, order: [...table.key] });
}

/** The record of one fund, if there is one. */
export function oneFund(table: Table, id: string, asOf?: number): Statement {
  return joined(standing(table, ['record'], [['fund_key = ?', folded(id)]], { asOf }));
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExists(table: Table, security: string, asOf?: number): Statement {
  return standing(table, ['1'], [['symbol_key = ?', folded(security)]], { asOf, limit: 1 });
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function someQuotes(
  table: Table,
  selection: Quotes,
  by: SecurityColumn = 'symbol_key',
): Statement {
  const { security, type, between, limit, asOf } = selection;
  const conditions: Condition[] = [];
  if (security !== undefined) conditions.push([`${by} = ?`, folded(security)]);
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from walking every record of the type instead.
    conditions.push([security === undefined ? 'type = ?' : "type || '' = ?", type]);
  }
  if (between) {
    conditions.push(['date BETWEEN ? AND ?', ...between]);
  } else {
    if (selection.until !== undefined) conditions.push(['date <= ?', selection.until]);
    const newest = standing(table, ['date'], conditions, { asOf, order: NEWEST, limit: 1 });
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push([`date >= (${newest.sql})`, ...newest.values]);
  }
  return joined(standing(table, ['record'], conditions, { asOf, order: [...table.key], limit }));
}

/** A condition and the values for its placeholders. */
type Condition = readonly [sql: string, ...values: (string | number)[]];

interface Standing {
  readonly asOf?: number | undefined;
  readonly order?: readonly Ordered[];
  readonly limit?: number;
}

const NEWEST: readonly Ordered[] = [{ column: 'date', descending: true }];

/** Columns of the records that meet the conditions, as they stand or as they stood. */
function standing(
  { now, past }: Table,
  columns: readonly string[],
  conditions: readonly Condition[],
  { asOf, order = [], limit }: Standing,
): Statement {
  // Cast, because SQLite plans anew whenever a bare limit is bound.
  const tail = `${ordered(order)}${limit === undefined ? '' : ' LIMIT cast(? AS INTEGER)'}`;
  const last = limit === undefined ? [] : [limit];
  const values = conditions.flatMap(([, ...given]) => given);
  const from = (table: string, selected: readonly string[], ...more: string[]) =>
    `SELECT ${selected.join(', ')} FROM ${table}${where([...conditions.map(([sql]) => sql), ...more])}`;
  if (asOf === undefined)
    return { sql: `${from(now, columns)}${tail}`, values: [...values, ...last] };

  // Both tables have the same indexes, so each half comes in order and the two are merged. What is
  // ordered by must be among the columns of a union.
  const wanted = [...new Set([...columns, ...order.map(({ column }) => column)])];
  const still = from(now, wanted, 'since <= ?');
  const once = from(past, wanted, 'since <= ?', 'until > ?');
  const both = `${still} UNION ALL ${once}${tail}`;
  return {
    sql: `SELECT ${columns.join(', ')} FROM (${both}) AS stood`,
    values: [...values, asOf, ...values, asOf, asOf, ...last],
  };
}

/** The records as one text, with their number and the revision that they stand in. */
function joined({ sql, values }: Statement): Statement {
  return {
    sql: `SELECT (SELECT max(revision) FROM revisions) AS revision,
    count(*) AS count, string_agg(record, ',') AS records FROM (${sql}) AS found`,
    values,
  };
}

/** Columns in an order, as an index or an ORDER BY lists them. */
export function orderedList(columns: readonly Ordered[]): string {
  return columns
    .map(({ column, descending }) => (descending ? `${column} DESC` : column))
    .join(', ');
}

function ordered(columns: readonly Ordered[]): string {
  return columns.length === 0 ? '' : ` ORDER BY ${orderedList(columns)}`;
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
