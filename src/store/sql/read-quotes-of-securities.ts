import { getStorageTable } from '../../schema/storage-table.ts';
import type { QuoteSelection, ReadResult, SecurityKeyColumn } from '../reader.ts';
import { type QuerySteps, queryCount, type SqlStatement } from './query-steps.ts';
import { capAtNewestDay } from './quote-filters.ts';
import { readQuotesFromNodes, type SecuritiesMatch } from './read-quotes-from-nodes.ts';
import {
  aggregateRecords,
  buildConditions,
  createPageCondition,
  getQuoteOrder,
  parseQuoteKey,
  type QuoteReadOptions,
  toReadResult,
} from './record-statements.ts';
import { padKeys, resolveSecurities, type SecurityKeys } from './resolve-securities.ts';
import { selectRecordsOfAny } from './select-records.ts';
import { buildSql, type SqlCondition } from './sql-fragments.ts';

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
    ? readQuotesFromNodes(capped, keys, options)
    : readByIndex(capped, keys, options);
  const page = cutPage(result, selection);
  if (!selection.includeTotal) return page;
  if (typeof total === 'number') return { ...page, total };
  const count = buildSql`SELECT count(*) AS count FROM (SELECT DISTINCT date, symbol FROM (${total}) AS found) AS matches`;
  return { ...page, total: yield* queryCount(count) };
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
