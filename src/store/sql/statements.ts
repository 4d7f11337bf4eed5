import type { Ordered, Table } from '../../derive/table.ts';
import { folded } from '../../derive/table.ts';
import type { Place, Quotes, SecurityColumn } from '../selection.ts';
import type { Dialect } from './dialect.ts';
import type { Part } from './parts.ts';
import type { Condition, Then } from './standing.ts';
import { standing } from './standing.ts';
import type { Statement } from './steps.ts';

/** What stands between the records of an answer. */
type Joint = ',' | '\n';

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

const NEWEST: readonly Ordered[] = [{ column: 'date', descending: true }];

/** The records as one text, with their number and, of the present, the revision they stand in. */
function joined({ sql, values }: Statement, joint: Joint, then?: Then): Statement {
  const revision = then ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return {
    sql: `SELECT ${revision}
    count(*) AS count, string_agg(record, '${joint}') AS records FROM (${sql}) AS found`,
    values,
  };
}
