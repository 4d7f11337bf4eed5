import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import {
  getStorageTable,
  type OrderedColumn,
  type StorageTable,
} from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import type { CursorPosition, QuoteSelection, SecurityKeyColumn } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import type { SqlStatement, SqlValue } from './query-steps.ts';
import type { ResolvedAsOf } from './resolve-as-of.ts';
import { IS_ON_DAY, selectRecords } from './select-records.ts';
import {
  buildSql,
  isOneOf,
  orderAndLimit,
  reverseOrder,
  type SqlCondition,
  type SymbolDialect,
  selectWhere,
  symbolCondition,
  symbolLengthConditions,
} from './sql-fragments.ts';
import type { DateSlice } from './stream-by-date-slice.ts';

type RecordSeparator = ',' | '\n';

/** Every record of a series, newest first. */
export function seriesStatement(
  table: StorageTable,
  separator: RecordSeparator,
  asOf?: ResolvedAsOf,
): SqlStatement {
  if (!asOf?.isDistributed)
    return aggregateRecords(allRecordsStatement(table, asOf), separator, asOf);
  // The coordinator collects the rows of several nodes in whatever order.
  const keyColumns = table.key.map(({ column }) => column);
  const records = selectRecords(table, ['record', ...keyColumns], [], { asOf });
  return aggregateRecords(records, separator, asOf, 'record', table.key);
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
  { dialect, asOf }: Pick<QuoteStatementOptions, 'dialect' | 'asOf'>,
): SqlStatement {
  const conditions = [symbolCondition(foldAsciiCase(security), dialect)];
  return selectRecords(table, ['1'], conditions, { asOf, limit: 1 });
}

export interface QuotePageSelection extends QuoteSelection {
  /** Only the records of days that follow this one in their order. */
  readonly afterDate?: string;
  /** Only the records after this position on its day. */
  readonly afterPosition?: CursorPosition;
}

export interface QuoteStatementOptions {
  readonly dialect: Dialect;
  readonly lookup?: SecurityLookup;
  readonly asOf?: ResolvedAsOf | undefined;
}

/**
 * How the quotes of a security are found: by symbol, by ISIN, or by the one symbol that ever had
 * the ISIN, whose quotes are read in sequence.
 */
export type SecurityLookup = SecurityKeyColumn | 'symbol_of_isin';

/** The order of quotes: newest day first, then by symbol; or the reverse. */
export function getQuoteOrder({
  dataset,
  isOldestFirst,
}: Pick<QuoteSelection, 'dataset' | 'isOldestFirst'>): readonly OrderedColumn[] {
  const { key } = getStorageTable(dataset);
  return isOldestFirst ? reverseOrder(key) : key;
}

/** Quotes by security, type and days, in their order. */
export function quotesStatement(
  selection: QuotePageSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security, type, limit, asNdjson } = selection;
  const { dialect, asOf } = options;
  const conditions = buildConditions(selection, options);
  const build = () => {
    // The index by type does not have the records: each costs one more search.
    const isByType = type !== undefined && security === undefined;
    const records = selectRecords(getStorageTable(dataset), ['record'], conditions, {
      asOf,
      order: getQuoteOrder(selection),
      limit,
      keysFirst: dialect.findsKeysFirst && isByType,
    });
    return aggregateRecords(records, asNdjson ? '\n' : ',', asOf);
  };
  return asOf || limit === 1 ? build() : withKeptText(selection, conditions, build);
}

const MAX_KEPT_TEXTS = 200;
const keptTexts = createBoundedMap<string, string>(MAX_KEPT_TEXTS);

/** A statement about current quotes, whose text is built once: most differ in their values alone. */
function withKeptText(
  { dataset, limit, asNdjson, isOldestFirst }: QuotePageSelection,
  conditions: readonly SqlCondition[],
  build: () => SqlStatement,
): SqlStatement {
  let key = `${dataset.name} ${asNdjson} ${isOldestFirst}`;
  const values: SqlValue[] = [];
  for (const [sql, ...bound] of conditions) {
    key += ` ${sql}`;
    values.push(...bound);
  }
  values.push(limit);
  const kept = keptTexts.get(key);
  if (kept !== undefined) return { sql: kept, values };
  const built = build();
  keptTexts.set(key, built.sql);
  return built;
}

/**
 * The quotes of the symbol that has an ISIN, and whether they are all that the ISIN selects: not
 * where another symbol ever had the ISIN, or where it is itself a symbol, which wins.
 */
export function isinQuotesStatement(
  selection: QuotePageSelection & Required<Pick<QuotePageSelection, 'security'>>,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security } = selection;
  const quotes = quotesStatement(selection, { ...options, lookup: 'symbol_of_isin' });
  const isSymbol = symbolExistsStatement(getStorageTable(dataset), security, options);
  const hasOneSymbol = oneSymbolStatement(dataset, security, options.dialect);
  return buildSql`SELECT quotes.*, (${hasOneSymbol}) AND NOT EXISTS (${isSymbol}) AS "isComplete"
    FROM (${quotes}) AS quotes`;
}

/** Whether exactly one symbol ever had an ISIN, and the index by symbol has its records. */
export function oneSymbolStatement(
  dataset: Dataset,
  isin: string,
  { maxCoveredSymbolBytes }: SymbolDialect,
): SqlStatement {
  const isCovered =
    maxCoveredSymbolBytes === undefined
      ? ''
      : ` AND octet_length(min(symbol_key)) <= ${maxCoveredSymbolBytes}`;
  const sql = `SELECT coalesce(min(symbol_key) = max(symbol_key)${isCovered}, FALSE) AS "hasOneSymbol"
    FROM ${getSecuritiesTable(dataset)} WHERE isin_key = ?`;
  return { sql, values: [foldAsciiCase(isin)] };
}

function getSecuritiesTable(dataset: Dataset): string {
  return getSummaryTables(dataset)?.securities.name ?? '';
}

/** How many quotes match; without a security, by the summary of days. */
export function quoteCountStatement(
  selection: QuoteSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security } = selection;
  const { asOf } = options;
  const conditions = buildConditions(selection, options);
  const days = getSummaryTables(dataset)?.days;
  if (security === undefined && days) {
    if (asOf) conditions.push(['revision <= ?', asOf.revision]);
    return selectWhere(['coalesce(sum(difference), 0) AS count'], days.name, conditions);
  }
  const matches = selectRecords(getStorageTable(dataset), ['1'], conditions, { asOf });
  return buildSql`SELECT count(*) AS count FROM (${matches}) AS matches`;
}

export function buildConditions(
  selection: QuotePageSelection,
  { dialect, lookup = 'symbol_key', asOf }: QuoteStatementOptions,
): SqlCondition[] {
  const { dataset, security, type, dateRange, notAfter, afterDate, afterPosition } = selection;
  const [isDayAfter, isSymbolAfter] = selection.isOldestFirst
    ? ['date > ?', 'symbol < ?']
    : ['date < ?', 'symbol > ?'];
  const conditions: SqlCondition[] = [];
  if (security !== undefined)
    conditions.push(...buildSecurityConditions(dataset, foldAsciiCase(security), lookup, dialect));
  if (selection.types) conditions.push(isOneOf("type || ''", selection.types));
  if (type !== undefined) {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from scanning every record of the type, or of the day, instead.
    conditions.push([security === undefined ? 'type = ?' : "type || '' = ?", type]);
  }
  if (afterPosition && security !== undefined) {
    conditions.push(['date BETWEEN ? AND ?', afterPosition.date, afterPosition.date]);
    conditions.push([isSymbolAfter.replace('symbol', "symbol || ''"), afterPosition.symbol]);
  } else if (afterPosition) {
    conditions.push([IS_ON_DAY, afterPosition.date], [isSymbolAfter, afterPosition.symbol]);
  } else if (dateRange && dateRange[0] === dateRange[1] && security === undefined) {
    conditions.push([IS_ON_DAY, dateRange[0]]);
    if (afterDate !== undefined) conditions.push([isDayAfter, afterDate]);
  } else if (dateRange) {
    conditions.push(['date BETWEEN ? AND ?', ...dateRange]);
    if (afterDate !== undefined) conditions.push([isDayAfter, afterDate]);
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

function buildSecurityConditions(
  dataset: Dataset,
  security: string,
  lookup: SecurityLookup,
  dialect: SymbolDialect,
): SqlCondition[] {
  if (lookup === 'isin_key') return [['isin_key = ?', security]];
  if (lookup === 'symbol_key') return [symbolCondition(security, dialect)];
  const symbol = `SELECT min(symbol_key) FROM ${getSecuritiesTable(dataset)} WHERE isin_key = ?`;
  return [
    [`symbol_key = (${symbol})`, security],
    ...(symbolLengthConditions(dialect)[0] ?? []),
    // The symbol may have had other ISINs; the concatenation keeps planners on its own index.
    ["isin_key || '' = ?", security],
  ];
}

const NEWEST_FIRST: readonly OrderedColumn[] = [{ column: 'date', isDescending: true }];

/** The records, or an expression of each, as one text, with their count and the newest revision. */
export function aggregateRecords(
  records: SqlStatement,
  separator: RecordSeparator,
  asOf?: ResolvedAsOf,
  text = 'record',
  order: readonly OrderedColumn[] = [],
): SqlStatement {
  // In a cluster it is known before.
  const revision = asOf?.isDistributed ? '' : '(SELECT max(revision) FROM revisions) AS revision,';
  return buildSql`SELECT ${revision}
    count(*) AS count, string_agg(${text}, '${separator}'${orderAndLimit(order, undefined)}) AS records FROM (${records}) AS matches`;
}
