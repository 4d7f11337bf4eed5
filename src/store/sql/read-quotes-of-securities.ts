import { getStorageTable } from '../../schema/storage-table.ts';
import type { QuoteSelection, ReadResult, SecurityKeyColumn } from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import { type QuerySteps, queryCount, type SqlStatement } from './query-steps.ts';
import { capAtNewestDay } from './quote-filters.ts';
import {
  buildConditions,
  createPageCondition,
  getQuoteOrder,
  parseQuoteKey,
  type QuoteReadOptions,
  quotesStatement,
} from './quote-statements.ts';
import { padKeys, resolveSecurities, type SecurityKeys } from './resolve-securities.ts';
import {
  aggregateRecords,
  selectRecords,
  selectRecordsOfAny,
  toReadResult,
} from './select-records.ts';
import { anyCondition, buildSql, isOneOf, type SqlCondition } from './sql-fragments.ts';

/**
 * The quotes of several securities: the union of what each selects alone, in the order of the
 * dataset.
 */
export function* readQuotesOfSecurities(
  selection: QuoteSelection,
  securities: readonly string[],
  options: QuoteReadOptions,
): QuerySteps<ReadResult> {
  const { asOf, dialect } = options;
  const capped = (asOf && capAtNewestDay(selection, asOf.newestDay).at(-1)) ?? selection;
  const keys = yield* resolveSecurities(selection.dataset, securities, { asOf }, dialect);
  const { result, total } = yield* dialect.isDistributed
    ? readFromNodes(capped, keys, options)
    : readByIndex(capped, keys, options);
  const page = cutPage(result, selection);
  if (!selection.includeTotal) return page;
  if (typeof total === 'number') return { ...page, total };
  const count = buildSql`SELECT count(*) AS count FROM (SELECT DISTINCT date, symbol FROM (${total}) AS found) AS matches`;
  return { ...page, total: yield* queryCount(count) };
}

/** What was found. */
interface SecuritiesMatch {
  /** At least one record more than requested, if there are others; separated by newlines. */
  readonly result: ReadResult;
  /** How many there are on all pages, or what selects their keys, perhaps several times. */
  readonly total: number | SqlStatement;
}

function* readByIndex(
  selection: QuoteSelection,
  keys: SecurityKeys,
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  const table = getStorageTable(selection.dataset);
  const { dialect, asOf } = options;
  // A record may be found by its symbol and by its ISIN.
  const perRecord = keys.symbols.length > 0 && keys.isins.length > 0 ? 2 : 1;
  const records = selectRecordsOfAny(table, ['record'], listConditions(selection, keys, options), {
    asOf,
    order: getQuoteOrder(selection),
    limit: (selection.limit + 1) * perRecord,
    hints: dialect,
  });
  return {
    result: toReadResult(yield aggregateRecords(records, '\n', asOf)),
    total: keysStatement(selection, keys, options),
  };
}

/** The conditions of each security alone, and of the page. */
function listConditions(
  { after, ...selection }: QuoteSelection,
  { symbols, isins }: SecurityKeys,
  options: QuoteReadOptions,
): SqlCondition[][] {
  const page = after ? [createPageCondition({ ...selection, after })] : [];
  const build = (lookup: SecurityKeyColumn) => (security: string) => [
    ...buildConditions({ ...selection, security }, { ...options, lookup }).conditions,
    ...page,
  ];
  return [...padKeys(symbols).map(build('symbol_key')), ...padKeys(isins).map(build('isin_key'))];
}

/** The keys of all records, on any page. */
function keysStatement(
  { after: _, ...selection }: QuoteSelection,
  keys: SecurityKeys,
  options: QuoteReadOptions,
): SqlStatement {
  const sets = listConditions(selection, keys, options);
  const table = getStorageTable(selection.dataset);
  return selectRecordsOfAny(table, ['date', 'symbol'], sets, { asOf: options.asOf, hints: {} });
}

/** The page of a result, which may have records twice, one after the other. */
function cutPage(
  { revision, count, records }: ReadResult,
  { limit, asNdjson }: QuoteSelection,
): ReadResult {
  const texts = count === 0 ? [] : records.split('\n');
  const distinct = texts.filter((record, index) => record !== texts[index - 1]);
  const page = distinct.slice(0, limit);
  const last = distinct.length > limit ? page.at(-1) : undefined;
  const result = { revision, count: page.length, records: page.join(asNdjson ? '\n' : ',') };
  if (last === undefined) return result;
  return { ...result, lastKey: parseQuoteKey(last) };
}

/**
 * The quotes of several securities in a cluster, whose planner takes no union of many parts. Those
 * of a range are one statement, in which each node finds its own; the newest of each security are a
 * statement for each, which one node answers.
 */
function* readFromNodes(
  selection: QuoteSelection,
  keys: SecurityKeys,
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  return yield* selection.dateRange
    ? readRange(selection, keys, options)
    : readNewest(selection, keys, options);
}

function* readRange(
  { after, ...selection }: QuoteSelection,
  keys: SecurityKeys,
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  const { asOf } = options;
  const table = getStorageTable(selection.dataset);
  const { conditions: others, onDay } = buildConditions(selection, options);
  const conditions = [isAnyOf(keys), ...others];
  const page = after ? [createPageCondition({ ...selection, after })] : [];
  const records = selectRecords(table, ['record'], [...conditions, ...page], {
    asOf,
    onDay,
    order: getQuoteOrder(selection),
    limit: selection.limit + 1,
  });
  return {
    result: toReadResult(yield aggregateRecords(records, '\n', asOf)),
    total: selectRecords(table, ['date', 'symbol'], conditions, { asOf, onDay }),
  };
}

function isAnyOf({ symbols, isins }: SecurityKeys): SqlCondition {
  const lists = [
    ['symbol_key', symbols],
    ['isin_key', isins],
  ] as const;
  return anyCondition(
    lists.filter(([, keys]) => keys.length > 0).map(([column, keys]) => isOneOf(column, keys)),
  );
}

function* readNewest(
  { after, ...selection }: QuoteSelection,
  { symbols, isins }: SecurityKeys,
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  const records = new Set<string>();
  for (const [lookup, keys] of [
    ['symbol_key', symbols],
    ['isin_key', isins],
  ] as const) {
    for (const security of keys) {
      const newest = { ...selection, security, asNdjson: true, limit: MAX_NEWEST_QUOTES };
      const result = toReadResult(yield quotesStatement(newest, { ...options, lookup }));
      for (const record of result.count === 0 ? [] : result.records.split('\n'))
        records.add(record);
    }
  }
  const sorted = [...records]
    .map((record) => ({ record, key: parseQuoteKey(record) }))
    .toSorted((a, b) => compareKeys(a.key, b.key));
  const page = after ? sorted.filter(({ key }) => compareKeys(key, after) > 0) : sorted;
  const texts = page.map(({ record }) => record);
  return {
    result: { revision: 0, count: texts.length, records: texts.join('\n') },
    total: records.size,
  };
}

/** More than one if symbols share an ISIN. */
const MAX_NEWEST_QUOTES = 10_000;

/** Newest day first, then by the bytes of the symbol. */
function compareKeys([aDate = '', aSymbol]: RecordKey, [bDate = '', bSymbol]: RecordKey): number {
  if (aDate !== bDate) return aDate < bDate ? 1 : -1;
  return Buffer.compare(Buffer.from(String(aSymbol)), Buffer.from(String(bSymbol)));
}
