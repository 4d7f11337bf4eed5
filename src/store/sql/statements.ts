import type { Ordered, Table } from '../../derive/table.ts';
import { folded } from '../../derive/table.ts';
import type { Place, Quotes, SecurityColumn } from '../selection.ts';
import type { Dialect } from './dialect.ts';
import type { Part } from './parts.ts';
import type { Statement, Value } from './steps.ts';

/** How both halves of the past are put together. */
export type Putting = Partial<Pick<Dialect, 'isLed' | 'isSpread'>>;

/** A revision of the past, and where its records are: among those that stand, or that ended. */
export interface Then extends Putting {
  readonly revision: number;
  readonly in: 'now' | 'past' | 'both';
  /** The newest day that the dataset had; null where that is not known, or it has none. */
  readonly newestDay: string | null;
  /** Whether there is no later revision of the dataset. */
  readonly isNewest?: boolean;
}

/** What stands between the records of an answer. */
export type Joint = ',' | '\n';

/** Every record of a series, newest first. */
export function wholeSeries(table: Table, joint: Joint, then?: Then): Statement {
  return joined(standing(table, ['record'], [], { then, order: table.key }), joint, then);
}

/** Every record of a dataset, or of a part of it, one by one, in the order of answers. */
export function everyRecord(table: Table, then?: Then, part?: Part): Statement {
  const conditions: Condition[] = part ? [['date >= ? AND date < ?', ...part]] : [];
  return standing(table, ['record'], conditions, { then, order: table.key });
}

/** The record of one fund, if there is one. */
export function oneFund(table: Table, id: string, then?: Then): Statement {
  return joined(standing(table, ['record'], [['fund_key = ?', folded(id)]], { then }), ',', then);
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExists(table: Table, security: string, then?: Then): Statement {
  return standing(table, ['1'], [['symbol_key = ?', folded(security)]], { then, limit: 1 });
}

/**
 * What is to be known before the past of a dataset is asked: the newest revision; whether any
 * record of that time still stands, and whether any has ended; the newest day that it had then.
 */
export function momentOf({ now, past }: Table, dataset: string, revision: number): Statement {
  const sql = `SELECT (SELECT max(revision) FROM revisions) AS "newestRevision",
    EXISTS (SELECT 1 FROM ${now} WHERE since <= ?) AS still,
    EXISTS (SELECT 1 FROM ${past}) AS ended,
    (SELECT newest FROM revisions WHERE dataset = ? AND revision <= ?
      ORDER BY revision DESC LIMIT 1) AS "newestDay"`;
  return { sql, values: [revision, dataset, revision] };
}

/**
 * The same in a cluster, where the present is asked for in this way as well: the newest revision
 * of the ledger, up to one, and the newest day that the dataset had then. What was published until
 * then, every machine has.
 */
export function latestUpTo(dataset: string, revision: number): Statement {
  const sql = `SELECT coalesce(max(revision), 0) AS revision,
    (SELECT newest FROM revisions WHERE dataset = ? AND revision <= ?
      ORDER BY revision DESC LIMIT 1) AS "newestDay"
    FROM revisions WHERE revision <= ?`;
  return { sql, values: [dataset, revision, revision] };
}

/** Quotes to find, or a part of them. */
export interface SomeQuotes extends Quotes {
  /** Only days before this one. */
  readonly below?: string;
  /** Only what comes behind this place on its day. */
  readonly beyond?: Place;
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function someQuotes(
  table: Table,
  selection: SomeQuotes,
  dialect: Dialect,
  by: SecurityColumn = 'symbol_key',
  then?: Then,
): Statement {
  const { security, type, limit, lines } = selection;
  // By the primary key, records are met on the way; by any other index, each is one more look.
  const keysFirst = dialect.keysFirst && (security !== undefined || type !== undefined);
  const rest = { then, order: table.key, limit, keysFirst };
  const found = standing(table, ['record'], conditionsOf(table, selection, by, then), rest);
  return joined(found, lines ? '\n' : ',', then);
}

/** How many quotes match in all, whatever the limit. */
export function countQuotes(
  table: Table,
  selection: Quotes,
  by: SecurityColumn = 'symbol_key',
  then?: Then,
): Statement {
  const { sql, values } = standing(table, ['1'], conditionsOf(table, selection, by, then), {
    then,
  });
  return { sql: `SELECT count(*) AS count FROM (${sql}) AS found`, values };
}

function conditionsOf(
  table: Table,
  { security, type, between, until, below, beyond }: SomeQuotes,
  by: SecurityColumn,
  then?: Then,
): Condition[] {
  const conditions: Condition[] = [];
  if (security !== undefined) conditions.push([`${by} = ?`, folded(security)]);
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from walking every record of the type, or of the day, instead.
    conditions.push([security === undefined ? 'type = ?' : "type || '' = ?", type]);
  }
  if (beyond && security !== undefined) {
    conditions.push(['date BETWEEN ? AND ?', beyond.date, beyond.date]);
    conditions.push(["symbol || '' > ?", beyond.symbol]);
  } else if (beyond) {
    conditions.push(['date = ?', beyond.date], ['symbol > ?', beyond.symbol]);
  } else if (between) {
    conditions.push(['date BETWEEN ? AND ?', ...between]);
    if (below !== undefined) conditions.push(['date < ?', below]);
  } else {
    if (until !== undefined) conditions.push(['date <= ?', until]);
    const newest = standing(table, ['date'], conditions, { then, order: NEWEST, limit: 1 });
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push([`date >= (${newest.sql})`, ...newest.values]);
  }
  return conditions;
}

/** A condition and the values for its placeholders. */
type Condition = readonly [sql: string, ...values: Value[]];

interface Standing {
  readonly then?: Then | undefined;
  readonly order?: readonly Ordered[];
  readonly limit?: number;
  /** Of the past: whether keys are found before records are looked at. */
  readonly keysFirst?: boolean;
}

const NEWEST: readonly Ordered[] = [{ column: 'date', descending: true }];

/** Columns of the records that meet the conditions, as they stand or as they stood. */
export function standing(
  table: Table,
  columns: readonly string[],
  conditions: readonly Condition[],
  { then, order = [], limit, keysFirst = false }: Standing,
): Statement {
  // Cast, because SQLite plans anew whenever a bare limit is bound.
  const tail = {
    sql: `${ordered(order)}${limit === undefined ? '' : ' LIMIT cast(? AS INTEGER)'}`,
    values: limit === undefined ? [] : [limit],
  };
  if (!then) {
    const sql = `SELECT ${columns.join(', ')} FROM ${table.now}${where(conditions)}${tail.sql}`;
    return { sql, values: [...valuesOf(conditions), ...tail.values] };
  }
  if (then.isSpread) return everywhere(table, columns, conditions, then, tail);
  if (keysFirst)
    return fromKeys(table, columns, halves(table, versionKeys(table), conditions, then), tail);
  // What is ordered by must be among the columns of a union.
  const wanted = [...columns, ...order.map(({ column }) => column)];
  return united(
    halves(table, () => within(table, wanted, then), conditions, then),
    columns,
    tail,
    then,
  );
}

/**
 * Columns of the records that stood at a revision, on any of many machines. Each machine unites
 * what it has, as it stands at one moment and in order, and sends no more of it than is wanted:
 * that takes a union that has each record's home, and conditions that stand outside. What has
 * ended since the newest revision is what is being published, if anything: it has its own index.
 */
function everywhere(
  { now, past, columns: own }: Table,
  columns: readonly string[],
  conditions: readonly Condition[],
  { revision, isNewest }: Then,
  tail: Statement,
): Statement {
  const stored = [...own.map(({ name }) => name), 'record', 'since'].join(', ');
  const union = isNewest
    ? `SELECT ${stored} FROM ${now} UNION ALL SELECT ${stored} FROM ${past} WHERE until > ?`
    : `SELECT ${stored}, ${NEVER} AS until FROM ${now} UNION ALL SELECT ${stored}, until FROM ${past}`;
  const stood: Condition = [isNewest ? 'since <= ?' : 'until > ? AND since <= ?'];
  return {
    sql: `SELECT ${columns.join(', ')} FROM (${union}) AS stood${where([stood, ...conditions])}${tail.sql}`,
    values: [revision, revision, ...valuesOf(conditions), ...tail.values],
  };
}

/** Later than any revision, and the last one there could be. */
const [NEVER, LAST] = [2_147_483_647, 2_147_483_646];

/** The present of a cluster, for whoever holds it: what was just written has no entry yet. */
export const ALL_THERE_IS: Then = {
  revision: LAST,
  in: 'both',
  newestDay: null,
  isSpread: true,
  isNewest: true,
};

/** The columns of a union of both halves; in a cluster, with that which says where they are kept. */
export function within(
  { home }: Table,
  columns: readonly string[],
  { isSpread }: Putting,
): string[] {
  return [...new Set([...columns, ...(isSpread && home !== undefined ? [home] : [])])];
}

/**
 * Columns of both halves, in order and up to the limit. In a cluster the order stands outside: so
 * each machine unites what it has, as it stands at one moment, and sends no more of it than the
 * limit lets through.
 */
export function united(
  halves: readonly Statement[],
  columns: readonly string[],
  tail: Statement,
  { isLed, isSpread }: Putting,
): Statement {
  const parts = isLed && halves.length > 1 ? halves.map((half) => cut(half, tail)) : halves;
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  const selected = columns.join(', ');
  return {
    sql: isSpread
      ? `SELECT ${selected} FROM (${union}) AS stood ${tail.sql}`
      : `SELECT ${selected} FROM (${union} ${tail.sql}) AS stood`,
    values: [...parts.flatMap(({ values }) => values), ...tail.values],
  };
}

function cut({ sql, values }: Statement, tail: Statement): Statement {
  return { sql: `(${sql} ${tail.sql})`, values: [...values, ...tail.values] };
}

/**
 * The records that stood at a revision: those that still do, and those that ended since. Both
 * tables have the same indexes, so each half comes in order and the two are merged.
 */
function halves(
  { now, past }: Table,
  columns: (ended: 0 | 1) => readonly string[],
  conditions: readonly Condition[],
  then: Then,
): Statement[] {
  const begun: Condition = [begunBy(then), then.revision];
  const still = [...conditions, begun];
  const once = [...conditions, begun, ['until > ?', then.revision] as const];
  const half = (table: string, ended: 0 | 1, all: readonly Condition[]): Statement => ({
    sql: `SELECT ${columns(ended).join(', ')} FROM ${table}${where(all)}`,
    values: valuesOf(all),
  });
  return [
    ...(then.in === 'past' ? [] : [half(now, 0, still)]),
    ...(then.in === 'now' ? [] : [half(past, 1, once)]),
  ];
}

/** That a record began by a revision; takes R. */
export function begunBy({ isLed }: Putting): string {
  return isLed ? 'since + 0 <= ?' : 'since <= ?';
}

/** What tells a version of a record from all others, and which table it is in. */
function versionKeys({ key }: Table): (ended: 0 | 1) => readonly string[] {
  return (ended) => [...key.map(({ column }) => column), 'since', `${ended} AS ended`];
}

/**
 * Columns of the records whose keys were found. The indexes tell which records stood at a revision:
 * only of those that are wanted the record itself is looked at.
 */
function fromKeys(
  { now, past, key }: Table,
  columns: readonly string[],
  keys: readonly Statement[],
  tail: Statement,
): Statement {
  const same = (table: string) =>
    key.map(({ column }) => `${table}.${column} = stood.${column}`).join(' AND ');
  const record = `CASE ended
    WHEN 0 THEN (SELECT record FROM ${now} AS n WHERE ${same('n')})
    ELSE (SELECT record FROM ${past} AS p WHERE ${same('p')} AND p.since = stood.since)
    END AS record`;
  const selected = columns.map((column) => (column === 'record' ? record : column)).join(', ');
  return united(keys, [selected], tail, {});
}

function valuesOf(conditions: readonly Condition[]): Value[] {
  return conditions.flatMap(([, ...values]) => values);
}

/** The records as one text, with their number and, of the present, the revision they stand in. */
function joined({ sql, values }: Statement, joint: Joint, then?: Then): Statement {
  const revision = then ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return {
    sql: `SELECT ${revision}
    count(*) AS count, string_agg(record, '${joint}') AS records FROM (${sql}) AS found`,
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
