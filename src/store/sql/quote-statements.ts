import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { getStorageTable, type OrderedColumn } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import type { QuoteSelection } from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import type { Dialect } from './dialect.ts';
import type { SqlStatement, SqlValue } from './query-steps.ts';
import {
  buildFilterConditions,
  isIndexed,
  isInSummary,
  oneSymbolStatement,
  type SecurityLookup,
} from './quote-filters.ts';
import { symbolStatement } from './resolve-securities.ts';
import {
  aggregateRecords,
  dayCondition,
  type LocatedRecords,
  selectRecords,
} from './select-records.ts';
import {
  afterPositionCondition,
  buildSql,
  reverseOrder,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';

export interface QuotePageSelection extends QuoteSelection {
  /** Only the records of days that follow this one in their order. */
  readonly afterDate?: string;
  /** Only the records after this key on its day. */
  readonly afterKey?: RecordKey;
}

export interface QuoteStatementOptions {
  readonly dialect: Dialect;
  readonly lookup?: SecurityLookup;
  readonly asOf?: LocatedRecords | undefined;
}

export type QuoteReadOptions = Omit<QuoteStatementOptions, 'lookup'>;

/** The order of quotes: newest day first, then by symbol; or the reverse. */
export function getQuoteOrder({
  dataset,
  isOldestFirst,
}: Pick<QuoteSelection, 'dataset' | 'isOldestFirst'>): readonly OrderedColumn[] {
  const { key } = getStorageTable(dataset);
  return isOldestFirst ? reverseOrder(key) : key;
}

/** That a record follows a key. */
export function createPageCondition(
  selection: QuoteSelection & { readonly after: RecordKey },
): SqlCondition {
  return afterPositionCondition(getQuoteOrder(selection), selection.after);
}

/** Quotes by security, type and days, in their order. */
export function quotesStatement(
  selection: QuotePageSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security, type, limit, asNdjson } = selection;
  const { dialect, asOf } = options;
  const { conditions, onDay } = buildConditions(selection, options);
  const build = () => {
    // The index by type does not have the records: each costs one more search.
    const isByType = type !== undefined && security === undefined && isIndexed(selection);
    const records = selectRecords(getStorageTable(dataset), ['record'], conditions, {
      asOf,
      onDay,
      order: getQuoteOrder(selection),
      limit,
      keysFirst: dialect.findsKeysFirst && isByType,
    });
    return aggregateRecords(records, asNdjson ? '\n' : ',', asOf);
  };
  return asOf || limit === 1
    ? build()
    : withKeptText(selection, [...conditions, ...dayCondition(onDay)], build);
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
 * if another symbol ever had the ISIN, or if it is itself a symbol, which wins.
 */
export function isinQuotesStatement(
  selection: QuotePageSelection & Required<Pick<QuotePageSelection, 'security'>>,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset, security } = selection;
  const quotes = quotesStatement(selection, { ...options, lookup: 'symbol_of_isin' });
  const isSymbol = symbolStatement(
    getStorageTable(dataset),
    security,
    { asOf: options.asOf },
    options.dialect,
  );
  const hasOneSymbol = oneSymbolStatement(dataset, security, options.dialect);
  return buildSql`SELECT quotes.*, (${hasOneSymbol}) AND NOT EXISTS (${isSymbol}) AS "isComplete"
    FROM (${quotes}) AS quotes`;
}

/** How many quotes match; by the summary of days if it has what they are filtered by. */
export function quoteCountStatement(
  selection: QuoteSelection,
  options: QuoteStatementOptions,
): SqlStatement {
  const { dataset } = selection;
  const { asOf } = options;
  const { conditions, onDay } = buildConditions(selection, options);
  const days = getSummaryTables(dataset)?.days;
  if (isInSummary(selection) && days) {
    const upTo: SqlCondition[] = asOf ? [['revision <= ?', asOf.revision]] : [];
    const all = [...conditions, ...dayCondition(onDay), ...upTo];
    return selectWhere(['coalesce(sum(difference), 0) AS count'], days.name, all);
  }
  const matches = selectRecords(getStorageTable(dataset), ['1'], conditions, { asOf, onDay });
  return buildSql`SELECT count(*) AS count FROM (${matches}) AS matches`;
}

interface QuoteConditions {
  readonly conditions: readonly SqlCondition[];
  /** The only day that they are on, which the history of records is read by. */
  readonly onDay?: string;
}

export function buildConditions(
  selection: QuotePageSelection,
  { dialect, lookup = 'symbol_key', asOf }: QuoteStatementOptions,
): QuoteConditions {
  const { dataset, security, dateRange, notAfter, afterDate, afterKey } = selection;
  const isAscending = selection.isOldestFirst === true;
  const conditions = buildFilterConditions(selection, {
    dataset,
    dialect,
    lookup: security === undefined ? undefined : lookup,
  });
  if (afterKey) {
    const [date = '', symbol = ''] = afterKey;
    const operator = isAscending ? '<' : '>';
    if (security === undefined)
      return { conditions: [...conditions, [`symbol ${operator} ?`, symbol]], onDay: String(date) };
    conditions.push(['date BETWEEN ? AND ?', date, date], [`symbol || '' ${operator} ?`, symbol]);
    return { conditions };
  }
  if (!dateRange) {
    if (notAfter !== undefined) conditions.push(['date <= ?', notAfter]);
    const newestDay = selectRecords(getStorageTable(dataset), ['date'], conditions, {
      asOf,
      order: NEWEST_FIRST,
      limit: 1,
    });
    // No match is newer than the newest day; >= rather than = keeps the planner on the same index.
    return { conditions: [...conditions, [`date >= (${newestDay.sql})`, ...newestDay.values]] };
  }
  const [from, to] = dateRange;
  const onDay = from === to && security === undefined ? from : undefined;
  if (onDay === undefined) conditions.push(['date BETWEEN ? AND ?', from, to]);
  if (afterDate !== undefined) conditions.push([isAscending ? 'date > ?' : 'date < ?', afterDate]);
  return { conditions, ...(onDay !== undefined && { onDay }) };
}

const NEWEST_FIRST: readonly OrderedColumn[] = [{ column: 'date', isDescending: true }];

/** The key of a quote, in its text. */
export function parseQuoteKey(record: string): RecordKey {
  const { date, symbol } = JSON.parse(record) as Pick<Quote, 'date' | 'symbol'>;
  return [date, symbol];
}
