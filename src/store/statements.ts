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

/** A revision of the past, and where its records are: among those that stand, or that ended. */
export interface Then {
  readonly revision: number;
  readonly in: 'now' | 'past' | 'both';
}

/** Every record of a series, newest first. */
export function wholeSeries(table: Table, then?: Then): Statement {
  return joined(standing(table, ['record'], [], { then, order: table.key }));
}

/** Every record of a dataset, one by one, in the order of answers. */
export function everyRecord(table: Table, then?: Then): Statement {
  return standing(table, ['record'], [], { then, order: table.key });
}

/** The record of one fund, if there is one. */
export function oneFund(table: Table, id: string, then?: Then): Statement {
  return joined(standing(table, ['record'], [['fund_key = ?', folded(id)]], { then }));
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExists(table: Table, security: string, then?: Then): Statement {
  return standing(table, ['1'], [['symbol_key = ?', folded(security)]], { then, limit: 1 });
}

/** Whether any record that stands was there at a revision. */
export function anyStill({ now }: Table, revision: number): Statement {
  return { sql: `SELECT 1 FROM ${now} WHERE since <= ? LIMIT 1`, values: [revision] };
}

/** Whether any record that ended was there at a revision. */
export function anyOnce({ past }: Table, revision: number): Statement {
  const sql = `SELECT 1 FROM ${past} WHERE until > ? AND since <= ? ORDER BY until LIMIT 1`;
  return { sql, values: [revision, revision] };
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function someQuotes(
  table: Table,
  selection: Quotes,
  by: SecurityColumn = 'symbol_key',
  then?: Then,
): Statement {
  const { security, type, between, limit } = selection;
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
    const newest = standing(table, ['date'], conditions, { then, order: NEWEST, limit: 1 });
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push([`date >= (${newest.sql})`, ...newest.values]);
  }
  return joined(standing(table, ['record'], conditions, { then, order: table.key, limit }));
}

/** A condition and the values for its placeholders. */
type Condition = readonly [sql: string, ...values: (string | number)[]];

interface Standing {
  readonly then?: Then | undefined;
  readonly order?: readonly Ordered[];
  readonly limit?: number;
}

const NEWEST: readonly Ordered[] = [{ column: 'date', descending: true }];

/** Columns of the records that meet the conditions, as they stand or as they stood. */
function standing(
  table: Table,
  columns: readonly string[],
  conditions: readonly Condition[],
  { then, order = [], limit }: Standing,
): Statement {
  // Cast, because SQLite plans anew whenever a bare limit is bound.
  const tail = `${ordered(order)}${limit === undefined ? '' : ' LIMIT cast(? AS INTEGER)'}`;
  const last = limit === undefined ? [] : [limit];
  if (then) return stood(table, columns, conditions, then, { sql: tail, values: last });
  const sql = `SELECT ${columns.join(', ')} FROM ${table.now}${where(conditions)}${tail}`;
  return { sql, values: [...valuesOf(conditions), ...last] };
}

/**
 * The same at a revision of the past. Keys come first, because the indexes tell which records
 * stood then: only of those that are wanted the record itself is looked at.
 */
function stood(
  { now, past, key }: Table,
  columns: readonly string[],
  conditions: readonly Condition[],
  then: Then,
  tail: Statement,
): Statement {
  const names = key.map(({ column }) => column);
  const half = (table: string, ended: 0 | 1, ...more: Condition[]): Statement => {
    const all = [...conditions, ...more];
    const selected = [...names, 'since', `${ended} AS ended`].join(', ');
    return { sql: `SELECT ${selected} FROM ${table}${where(all)}`, values: valuesOf(all) };
  };
  const begun: Condition = ['since <= ?', then.revision];
  const halves = [
    ...(then.in === 'past' ? [] : [half(now, 0, begun)]),
    ...(then.in === 'now' ? [] : [half(past, 1, begun, ['until > ?', then.revision])]),
  ];
  const same = (table: string) => names.map((name) => `${table}.${name} = stood.${name}`);
  const record = `CASE ended
    WHEN 0 THEN (SELECT record FROM ${now} AS n WHERE ${same('n').join(' AND ')})
    ELSE (SELECT record FROM ${past} AS p WHERE ${[...same('p'), 'p.since = stood.since'].join(' AND ')})
    END AS record`;
  const selected = columns.map((column) => (column === 'record' ? record : column)).join(', ');
  const keys = `${halves.map(({ sql }) => sql).join(' UNION ALL ')}${tail.sql}`;
  return {
    sql: `SELECT ${selected} FROM (${keys}) AS stood`,
    values: [...halves.flatMap(({ values }) => values), ...tail.values],
  };
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap(([, ...values]) => values);
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

function where(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
}
