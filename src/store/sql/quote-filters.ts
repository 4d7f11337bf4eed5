import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import type { QuoteFilters, QuoteSelection, SecurityKeyColumn } from '../reader.ts';
import type { SqlStatement } from './query-steps.ts';
import {
  isOneOf,
  type SqlCondition,
  type SymbolDialect,
  symbolCondition,
  symbolLengthConditions,
} from './sql-fragments.ts';

export interface QuoteFilter<Value> {
  /** The conditions on stored quotes, current or superseded. */
  readonly toConditions: (value: Value, context: QuoteFilterContext) => readonly SqlCondition[];
  /** Whether its conditions hold for the summary of days, which has dates and types alone. */
  readonly isInSummary: boolean;
  /** Whether an index finds the matches; otherwise every quote of the days is read. */
  readonly isIndexed: boolean;
  /** Whether a security meets it on all days or on none: quotes to compare with then meet it, too. */
  readonly isOfSecurity: boolean;
}

interface QuoteFilterContext {
  readonly dataset: Dataset;
  readonly dialect: SymbolDialect;
  /** Undefined unless the quotes of one security are looked up. */
  readonly lookup: SecurityLookup | undefined;
}

type QuoteFilterTable = {
  readonly [Name in keyof QuoteFilters]-?: QuoteFilter<NonNullable<QuoteFilters[Name]>>;
};

export const QUOTE_FILTERS: QuoteFilterTable = {
  security: {
    toConditions: (security, { dataset, dialect, lookup }) =>
      lookup ? buildSecurityConditions(dataset, security, lookup, dialect) : [],
    isInSummary: false,
    isIndexed: true,
    isOfSecurity: true,
  },
  // Each is looked up alone.
  securities: {
    toConditions: () => [],
    isInSummary: false,
    isIndexed: true,
    isOfSecurity: true,
  },
  types: {
    toConditions: (types) => [isOneOf("type || ''", types)],
    isInSummary: true,
    isIndexed: true,
    isOfSecurity: true,
  },
  type: {
    // One security has few records: its own index finds them, and the concatenation keeps the
    // planner from scanning every record of the type, or of the day, instead.
    toConditions: (type, { lookup }) => [[lookup ? "type || '' = ?" : 'type = ?', type]],
    isInSummary: true,
    isIndexed: true,
    isOfSecurity: true,
  },
};

const NAMES = Object.keys(QUOTE_FILTERS) as (keyof QuoteFilters)[];

/** The conditions of all filters of a selection. */
export function buildFilterConditions(
  filters: QuoteFilters,
  context: QuoteFilterContext,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  for (const name of listFilters(filters)) {
    const { toConditions } = QUOTE_FILTERS[name] as QuoteFilter<QuoteFilters[typeof name]>;
    conditions.push(...toConditions(filters[name], context));
  }
  return conditions;
}

/** Whether the newest day may have no match. */
export function hasFilters(filters: QuoteFilters): boolean {
  return listFilters(filters).length > 0;
}

/** Whether the summary of days counts the matches, and knows their days. */
export function isInSummary(filters: QuoteFilters): boolean {
  return listFilters(filters).every((name) => QUOTE_FILTERS[name].isInSummary);
}

/** Whether indexes find the matches. */
export function isIndexed(filters: QuoteFilters): boolean {
  return listFilters(filters).every((name) => QUOTE_FILTERS[name].isIndexed);
}

/** The selection with those of its filters that a security meets on all days or on none. */
export const keepFiltersOfSecurities = (selection: QuoteSelection) =>
  keepFilters(selection, 'isOfSecurity');

/** All quotes that those of its filters find which have an index; without days, of every day. */
export function keepIndexedFilters(selection: QuoteSelection): QuoteSelection {
  const days = ['', '9999-12-31'] as const;
  return keepFilters({ dateRange: days, ...selection }, 'isIndexed');
}

function keepFilters(selection: QuoteSelection, answer: 'isOfSecurity' | 'isIndexed') {
  const kept = { ...selection };
  for (const name of NAMES) if (!QUOTE_FILTERS[name][answer]) delete kept[name];
  return kept;
}

function listFilters(filters: QuoteFilters): (keyof QuoteFilters)[] {
  return NAMES.filter((name) => filters[name] !== undefined);
}

/**
 * Adds that no record as of a revision is newer than the newest day then, which keeps a scan from
 * the newest day on from passing everything that was published since. The latest quotes are read
 * in two attempts, because they are nearly always of that very day.
 */
export function capAtNewestDay(
  selection: QuoteSelection,
  newestDay: string | null,
): QuoteSelection[] {
  if (newestDay === null) return [selection];
  const { dateRange, notAfter = newestDay } = selection;
  if (dateRange) {
    const [from, to] = dateRange;
    return [{ ...selection, dateRange: [from, to < newestDay ? to : newestDay] }];
  }
  if (notAfter < newestDay) return [selection];
  const onNewestDay: QuoteSelection = { ...selection, dateRange: [newestDay, newestDay] };
  return hasFilters(selection)
    ? [onNewestDay, { ...selection, notAfter: newestDay }]
    : [onNewestDay];
}

/**
 * How the quotes of a security are found: by symbol, by ISIN, or by the one symbol that ever had
 * the ISIN, whose quotes are read in sequence.
 */
export type SecurityLookup = SecurityKeyColumn | 'symbol_of_isin';

/** The conditions on quotes of one security. */
export function buildSecurityConditions(
  dataset: Dataset,
  security: string,
  lookup: SecurityLookup,
  dialect: SymbolDialect,
): SqlCondition[] {
  const key = foldAsciiCase(security);
  if (lookup === 'isin_key') return [['isin_key = ?', key]];
  if (lookup === 'symbol_key') return [symbolCondition(key, dialect)];
  const symbol = `SELECT min(symbol_key) FROM ${getSecuritiesTable(dataset)} WHERE isin_key = ?`;
  return [
    [`symbol_key = (${symbol})`, key],
    ...(symbolLengthConditions(dialect)[0] ?? []),
    // The symbol may have had other ISINs; the concatenation keeps planners on its own index.
    ["isin_key || '' = ?", key],
  ];
}

function getSecuritiesTable(dataset: Dataset): string {
  return getSummaryTables(dataset)?.securities.name ?? '';
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
