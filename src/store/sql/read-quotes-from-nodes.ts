import { getStorageTable } from '../../schema/storage-table.ts';
import type { CursorPosition, QuoteSelection, ReadResult } from '../reader.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import { groupKeys, type SecurityKeys } from './quote-filters.ts';
import {
  aggregateRecords,
  buildConditions,
  getQuoteOrder,
  type QuoteStatementOptions,
  quotesStatement,
  symbolExistsStatement,
  toReadResult,
} from './record-statements.ts';
import { selectRecords } from './select-records.ts';
import { afterPositionCondition, type SqlCondition } from './sql-fragments.ts';

/**
 * The quotes of several securities in a cluster, whose planner takes no union of many parts. Those
 * of a range are one statement, in which each node finds its own; the newest of each security are a
 * statement for each, which one node answers.
 */
export function* readQuotesFromNodes(
  selection: QuoteSelection,
  keys: readonly string[],
  options: QuoteReadOptions,
): QuerySteps<SecuritiesMatch> {
  const table = getStorageTable(selection.dataset);
  const symbols: string[] = [];
  for (const key of keys) {
    const rows = yield symbolExistsStatement(table, key, options);
    if (rows.length > 0) symbols.push(key);
  }
  const groupedKeys = groupKeys(keys, (key) => symbols.includes(key));
  return yield* selection.dateRange
    ? readRange(selection, groupedKeys, options)
    : readNewest(selection, groupedKeys, options);
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
  const alternatives = lists
    .filter(([, keys]) => keys.length > 0)
    .map(([column, keys]) => `${column} IN (${keys.map(() => '?').join(', ')})`);
  return [`(${alternatives.join(' OR ')})`, ...symbols, ...isins];
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
    .map((record) => ({ record, position: JSON.parse(record) as CursorPosition }))
    .toSorted((a, b) => comparePositions(a.position, b.position));
  const page = after
    ? sorted.filter(({ position }) => comparePositions(position, after) > 0)
    : sorted;
  const texts = page.map(({ record }) => record);
  return {
    result: { revision: 0, count: texts.length, records: texts.join('\n') },
    total: records.size,
  };
}

/** More than one where symbols share an ISIN. */
const MAX_NEWEST_QUOTES = 10_000;

/** Newest day first, then by the bytes of the symbol. */
function comparePositions(a: CursorPosition, b: CursorPosition): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return Buffer.compare(Buffer.from(a.symbol), Buffer.from(b.symbol));
}

export type QuoteReadOptions = Omit<QuoteStatementOptions, 'lookup'>;

/** The quotes of several securities. */
export interface SecuritiesMatch {
  /** At least one record more than requested, if there are others; separated by newlines. */
  readonly result: ReadResult;
  /** How many there are on all pages, or what selects their keys, perhaps several times. */
  readonly total: number | SqlStatement;
}

/** That a record follows a position. */
export function createPageCondition(
  selection: QuoteSelection & { readonly after: CursorPosition },
): SqlCondition {
  const { date, symbol } = selection.after;
  return afterPositionCondition(getQuoteOrder(selection), [date, symbol]);
}
