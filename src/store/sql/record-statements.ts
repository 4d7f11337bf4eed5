import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import {
  getStorageTable,
  type OrderedColumn,
  type StorageTable,
} from '../../schema/storage-table.ts';
import type { CursorPosition, QuoteSelection, SecurityKeyColumn } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import type { SqlStatement } from './query-steps.ts';
import type { ResolvedAsOf } from './resolve-as-of.ts';
import { selectRecords } from './select-records.ts';
import type { SqlCondition } from './sql-fragments.ts';
import type { DateSlice } from './stream-by-date.ts';

type RecordSeparator = ',' | '\n';

/** Every record of a series, newest first. */
export function seriesStatement(
  table: StorageTable,
  separator: RecordSeparator,
  asOf?: ResolvedAsOf,
): SqlStatement {
  return aggregateRecords(allRecordsStatement(table, asOf), separator, asOf);
}

/** Every record of a dataset, or of a slice of it, one by one, in the order of responses. */
export function allRecordsStatement(
  table: StorageTable,
  asOf?: ResolvedAsOf,
  slice?: DateSlice,
): SqlStatement {
  const conditions: SqlCondition[] = slice ? [['date >= ? AND date < ?', ...slice]] : [];
  return selectRecords(table, ['record'], conditions, { asOf, order: table.key });
}

export function fundStatement(table: StorageTable, id: string, asOf?: ResolvedAsOf): SqlStatement {
  const conditions: SqlCondition[] = [['fund_key = ?', foldAsciiCase(id)]];
  return aggregateRecords(selectRecords(table, ['record'], conditions, { asOf }), ',', asOf);
}

/** Whether any record has the symbol, because a symbol wins over an ISIN. */
export function symbolExistsStatement(
  table: StorageTable,
  security: string,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const conditions: SqlCondition[] = [['symbol_key = ?', foldAsciiCase(security)]];
  return selectRecords(table, ['1'], conditions, { asOf, limit: 1 });
}

export interface QuotePageSelection extends QuoteSelection {
  readonly beforeDate?: string;
  /** Only the records after this position on its day. */
  readonly afterPosition?: CursorPosition;
}

export interface QuoteStatementOptions {
  readonly dialect: Dialect;
  readonly keyColumn?: SecurityKeyColumn;
  readonly asOf?: ResolvedAsOf | undefined;
}

/** Quotes by security, type and days; newest day first, then by symbol. */
export function quotesStatement(
  selection: QuotePageSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security, type, limit, asNdjson } = selection;
  const { dialect, asOf } = options;
  const table = getStorageTable(dataset);
  // The primary key has the records; any other index costs one more search for each record.
  const keysFirst = dialect.findsKeysFirst && (security !== undefined || type !== undefined);
  const records = selectRecords(table, ['record'], buildConditions(selection, options), {
    asOf,
    order: table.key,
    limit,
    keysFirst,
  });
  return aggregateRecords(records, asNdjson ? '\n' : ',', asOf);
}

export function quoteCountStatement(
  selection: QuoteSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const conditions = buildConditions(selection, options);
  const { asOf } = options;
  const { sql, values } = selectRecords(getStorageTable(selection.dataset), ['1'], conditions, {
    asOf,
  });
  return { sql: `SELECT count(*) AS count FROM (${sql}) AS matches`, values };
}

function buildConditions(
  { dataset, security, type, dateRange, notAfter, beforeDate, afterPosition }: QuotePageSelection,
  { keyColumn = 'symbol_key', asOf }: QuoteStatementOptions,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  if (security !== undefined) conditions.push([`${keyColumn} = ?`, foldAsciiCase(security)]);
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from scanning every record of the type, or of the day, instead.
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
    const newestDay = selectRecords(getStorageTable(dataset), ['date'], conditions, {
      asOf,
      order: NEWEST_FIRST,
      limit: 1,
    });
    // No match is newer than the newest day; >= rather than = keeps the planner on the same index.
    conditions.push([`date >= (${newestDay.sql})`, ...newestDay.values]);
  }
  return conditions;
}

const NEWEST_FIRST: readonly OrderedColumn[] = [{ column: 'date', isDescending: true }];

/** The records as one text, with their count and, of current ones, the revision. */
function aggregateRecords(
  { sql, values }: SqlStatement,
  separator: RecordSeparator,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const revision = asOf ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return {
    sql: `SELECT ${revision}
    count(*) AS count, string_agg(record, '${separator}') AS records FROM (${sql}) AS matches`,
    values,
  };
}
