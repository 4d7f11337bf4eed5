import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import type { CursorPosition, QuoteSelection, SecurityKeyColumn } from '../selection.ts';
import type { Dialect } from './dialect.ts';
import type { SqlStatement } from './query-steps.ts';
import type { ResolvedAsOf, SqlCondition } from './select-records.ts';
import { selectRecords } from './select-records.ts';
import type { DateSlice } from './stream-by-date.ts';

/** What stands between the records of an answer. */
type RecordSeparator = ',' | '\n';

/** Every record of a series, newest first. */
export function seriesStatement(
  table: StorageTable,
  joint: RecordSeparator,
  then?: ResolvedAsOf,
): SqlStatement {
  return aggregateRecords(
    selectRecords(table, ['record'], [], { then, order: table.key }),
    joint,
    then,
  );
}

/** Every record of a dataset, or of a part of it, one by one, in the order of answers. */
export function allRecordsStatement(
  table: StorageTable,
  then?: ResolvedAsOf,
  part?: DateSlice,
): SqlStatement {
  const conditions: SqlCondition[] = part ? [['date >= ? AND date < ?', ...part]] : [];
  return selectRecords(table, ['record'], conditions, { then, order: table.key });
}

/** The record of one fund, if there is one. */
export function fundStatement(table: StorageTable, id: string, then?: ResolvedAsOf): SqlStatement {
  return aggregateRecords(
    selectRecords(table, ['record'], [['fund_key = ?', foldAsciiCase(id)]], { then }),
    ',',
    then,
  );
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExistsStatement(
  table: StorageTable,
  security: string,
  then?: ResolvedAsOf,
): SqlStatement {
  return selectRecords(table, ['1'], [['symbol_key = ?', foldAsciiCase(security)]], {
    then,
    limit: 1,
  });
}

/**
 * What is to be known before the past of a dataset is asked: the newest revision; whether any
 * record of that time still stands, and whether any has ended; the newest day that it had then.
 */
export function asOfStatement(
  { now, past }: StorageTable,
  dataset: string,
  revision: number,
): SqlStatement {
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
export function latestRevisionStatement(dataset: string, revision: number): SqlStatement {
  const sql = `SELECT coalesce(max(revision), 0) AS revision,
    (SELECT newest FROM revisions WHERE dataset = ? AND revision <= ?
      ORDER BY revision DESC LIMIT 1) AS "newestDay"
    FROM revisions WHERE revision <= ?`;
  return { sql, values: [dataset, revision, revision] };
}

/** Quotes to find, or a part of them. */
export interface QuotePageSelection extends QuoteSelection {
  /** Only days before this one. */
  readonly below?: string;
  /** Only what comes behind this place on its day. */
  readonly beyond?: CursorPosition;
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function quotesStatement(
  table: StorageTable,
  selection: QuotePageSelection,
  dialect: Dialect,
  by: SecurityKeyColumn = 'symbol_key',
  then?: ResolvedAsOf,
): SqlStatement {
  const { security, type, limit, lines } = selection;
  // By the primary key, records are met on the way; by any other index, each is one more look.
  const keysFirst = dialect.keysFirst && (security !== undefined || type !== undefined);
  const rest = { then, order: table.key, limit, keysFirst };
  const found = selectRecords(table, ['record'], buildConditions(table, selection, by, then), rest);
  return aggregateRecords(found, lines ? '\n' : ',', then);
}

/** How many quotes match in all, whatever the limit. */
export function quoteCountStatement(
  table: StorageTable,
  selection: QuoteSelection,
  by: SecurityKeyColumn = 'symbol_key',
  then?: ResolvedAsOf,
): SqlStatement {
  const { sql, values } = selectRecords(table, ['1'], buildConditions(table, selection, by, then), {
    then,
  });
  return { sql: `SELECT count(*) AS count FROM (${sql}) AS found`, values };
}

function buildConditions(
  table: StorageTable,
  { security, type, between, until, below, beyond }: QuotePageSelection,
  by: SecurityKeyColumn,
  then?: ResolvedAsOf,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  if (security !== undefined) conditions.push([`${by} = ?`, foldAsciiCase(security)]);
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
    const newest = selectRecords(table, ['date'], conditions, {
      then,
      order: NEWEST_FIRST,
      limit: 1,
    });
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push([`date >= (${newest.sql})`, ...newest.values]);
  }
  return conditions;
}

const NEWEST_FIRST: readonly OrderedColumn[] = [{ column: 'date', descending: true }];

/** The records as one text, with their number and, of the present, the revision they stand in. */
function aggregateRecords(
  { sql, values }: SqlStatement,
  joint: RecordSeparator,
  then?: ResolvedAsOf,
): SqlStatement {
  const revision = then ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return {
    sql: `SELECT ${revision}
    count(*) AS count, string_agg(record, '${joint}') AS records FROM (${sql}) AS found`,
    values,
  };
}
