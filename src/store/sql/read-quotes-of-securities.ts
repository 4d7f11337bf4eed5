import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { CursorPosition, QuoteSelection, ReadResult, SecurityKeyColumn } from '../reader.ts';
import { type QuerySteps, queryCount, type SqlStatement } from './query-steps.ts';
import { capAtNewestDay, groupKeys, type SecurityKeys } from './quote-filters.ts';
import {
  createPageCondition,
  type QuoteReadOptions,
  readQuotesFromNodes,
  type SecuritiesMatch,
} from './read-quotes-from-nodes.ts';
import {
  aggregateRecords,
  buildConditions,
  getQuoteOrder,
  symbolExistsStatement,
  toReadResult,
} from './record-statements.ts';
import { selectRecordsOfAny } from './select-records.ts';
import { buildSql, joinSql, type SqlCondition } from './sql-fragments.ts';

/**
 * The quotes of several securities: the union of what each selects alone, in the order of the
 * dataset. One statement, unless a text that looks like a symbol is none, or one like an ISIN is.
 */
export function* readQuotesOfSecurities(
  selection: QuoteSelection,
  securities: readonly string[],
  options: QuoteReadOptions,
): QuerySteps<ReadResult> {
  const { asOf, dialect } = options;
  const capped = (asOf && capAtNewestDay(selection, asOf.newestDay).at(-1)) ?? selection;
  const keys = securities.map(foldAsciiCase);
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
  keys: readonly string[],
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  const guessed = groupKeys(keys, (key) => !ISIN_PATTERN.test(key));
  const rows = yield securitiesStatement(selection, guessed, options);
  const areSymbols = (rows[0] as { readonly areSymbols: string } | undefined)?.areSymbols ?? '';
  const { symbols, isins } = guessed;
  const isSymbol = new Map(
    [...pad(symbols), ...pad(isins)].map((key, index) => [key, areSymbols[index] === '1']),
  );
  const groupedKeys = groupKeys(keys, (key) => isSymbol.get(key) === true);
  const isRight =
    symbols.every((key) => isSymbol.get(key)) && groupedKeys.isins.length === isins.length;
  return {
    result: toReadResult(
      isRight ? rows : yield securitiesStatement(selection, groupedKeys, options),
    ),
    total: keysStatement(selection, groupedKeys, options),
  };
}

/** A text that looks like an ISIN is one, nearly always. */
export const ISIN_PATTERN = /^[a-z]{2}[a-z0-9]{9}[0-9]$/i;

/** The quotes, and for each key whether it is a symbol, which wins over an ISIN. */
function securitiesStatement(
  selection: QuoteSelection,
  keys: SecurityKeys,
  options: QuoteReadOptions,
): SqlStatement {
  const { dataset } = selection;
  const { dialect, asOf } = options;
  const table = getStorageTable(dataset);
  // A record may be found by its symbol and by its ISIN.
  const perRecord = keys.symbols.length > 0 && keys.isins.length > 0 ? 2 : 1;
  const records = selectRecordsOfAny(table, ['record'], listConditions(selection, keys, options), {
    asOf,
    order: getQuoteOrder(selection),
    limit: (selection.limit + 1) * perRecord,
    hints: dialect,
  });
  const quotes = aggregateRecords(records, '\n', asOf);
  const areSymbols = [...pad(keys.symbols), ...pad(keys.isins)].map(
    (key) =>
      buildSql`CASE WHEN EXISTS (${symbolExistsStatement(table, key, options)}) THEN '1' ELSE '0' END`,
  );
  return buildSql`SELECT quotes.*, ${joinSql(areSymbols, ' || ')} AS "areSymbols" FROM (${quotes}) AS quotes`;
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
  return [...pad(symbols).map(build('symbol_key')), ...pad(isins).map(build('isin_key'))];
}

/** Few different statements, because each is prepared: no record has the empty key. */
function pad(keys: readonly string[]): readonly string[] {
  const size = STATEMENT_SIZES.find((candidate) => candidate >= keys.length) ?? keys.length;
  return [...keys, ...Array<string>(size - keys.length).fill('')];
}

const STATEMENT_SIZES = [0, 1, 2, 4, 8, 16, 32, 50];

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
  const { date, symbol } = JSON.parse(last) as CursorPosition;
  return { ...result, lastPosition: { date, symbol } };
}
