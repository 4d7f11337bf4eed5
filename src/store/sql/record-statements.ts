import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
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
  asOf?: ResolvedAsOf,
): SqlStatement {
  return aggregateRecords(
    selectRecords(table, ['record'], [], { asOf, order: table.key }),
    joint,
    asOf,
  );
}

/** Every record of a dataset, or of a part of it, one by one, in the order of answers. */
export function allRecordsStatement(
  table: StorageTable,
  asOf?: ResolvedAsOf,
  part?: DateSlice,
): SqlStatement {
  const conditions: SqlCondition[] = part ? [['date >= ? AND date < ?', ...part]] : [];
  return selectRecords(table, ['record'], conditions, { asOf, order: table.key });
}

/** The record of one fund, if there is one. */
export function fundStatement(table: StorageTable, id: string, asOf?: ResolvedAsOf): SqlStatement {
  return aggregateRecords(
    selectRecords(table, ['record'], [['fund_key = ?', foldAsciiCase(id)]], { asOf }),
    ',',
    asOf,
  );
}

/** Whether any record carries the symbol, so that a symbol wins over an ISIN. */
export function symbolExistsStatement(
  table: StorageTable,
  security: string,
  asOf?: ResolvedAsOf,
): SqlStatement {
  return selectRecords(table, ['1'], [['symbol_key = ?', foldAsciiCase(security)]], {
    asOf,
    limit: 1,
  });
}

/**
 * What is to be known before the past of a dataset is asked: the newest revision; whether any
 * record of that time still stands, and whether any has ended; the newest day that it had then.
 */
export function asOfStatement(
  { currentTable, historyTable }: StorageTable,
  dataset: string,
  revision: number,
): SqlStatement {
  const sql = `SELECT (SELECT max(revision) FROM revisions) AS "newestRevision",
    EXISTS (SELECT 1 FROM ${currentTable} WHERE since <= ?) AS still,
    EXISTS (SELECT 1 FROM ${historyTable}) AS ended,
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
  readonly beforeDate?: string;
  /** Only what comes behind this place on its day. */
  readonly afterPosition?: CursorPosition;
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function quotesStatement(
  table: StorageTable,
  selection: QuotePageSelection,
  dialect: Dialect,
  keyColumn: SecurityKeyColumn = 'symbol_key',
  asOf?: ResolvedAsOf,
): SqlStatement {
  const { security, type, limit, asNdjson } = selection;
  // By the primary key, records are met on the way; by any other index, each is one more look.
  const keysFirst = dialect.findsKeysFirst && (security !== undefined || type !== undefined);
  const rest = { asOf, order: table.key, limit, keysFirst };
  const found = selectRecords(
    table,
    ['record'],
    buildConditions(table, selection, keyColumn, asOf),
    rest,
  );
  return aggregateRecords(found, asNdjson ? '\n' : ',', asOf);
}

/** How many quotes match in all, whatever the limit. */
export function quoteCountStatement(
  table: StorageTable,
  selection: QuoteSelection,
  keyColumn: SecurityKeyColumn = 'symbol_key',
  asOf?: ResolvedAsOf,
): SqlStatement {
  const { sql, values } = selectRecords(
    table,
    ['1'],
    buildConditions(table, selection, keyColumn, asOf),
    {
      asOf,
    },
  );
  return { sql: `SELECT count(*) AS count FROM (${sql}) AS found`, values };
}

function buildConditions(
  table: StorageTable,
  { security, type, dateRange, notAfter, beforeDate, afterPosition }: QuotePageSelection,
  keyColumn: SecurityKeyColumn,
  asOf?: ResolvedAsOf,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  if (security !== undefined) conditions.push([`${keyColumn} = ?`, foldAsciiCase(security)]);
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from walking every record of the type, or of the day, instead.
    conditions.push([security === undefined ? 'type = ?' : "type || '' = ?", type]);
  }
  if (afterPosition && security !== undefined) {
    conditions.push(['date BETWEEN ? AND ?', afterPosition.date, afterPosition.date]);
    conditions.push(["symbol || '' > ?", afterPosition.symbol]);
  } else if (afterPosition) {
    conditions.push(['date = ?', afterPosition.date], ['symbol > ?', afterPosition.symbol]);
  } else if (dateRange) {
    conditions.push(['date BETWEEN ? AND ?', ...dateRange]);
    if (beforeDate !== undefined) conditions.push(['date < ?', beforeDate]);
  } else {
    if (notAfter !== undefined) conditions.push(['date <= ?', notAfter]);
    const newest = selectRecords(table, ['date'], conditions, {
      asOf,
      order: NEWEST_FIRST,
      limit: 1,
    });
    // No match is newer than the newest: asking for what is not older keeps to the same index.
    conditions.push([`date >= (${newest.sql})`, ...newest.values]);
  }
  return conditions;
}

const NEWEST_FIRST: readonly OrderedColumn[] = [{ column: 'date', isDescending: true }];

/** The records as one text, with their number and, of the present, the revision they stand in. */
function aggregateRecords(
  { sql, values }: SqlStatement,
  joint: RecordSeparator,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const revision = asOf ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return {
    sql: `SELECT ${revision}
    count(*) AS count, string_agg(record, '${joint}') AS records FROM (${sql}) AS found`,
    values,
  };
}
