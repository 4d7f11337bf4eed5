import { getStorageTable } from '../../schema/storage-table.ts';
import type { QuoteSelection, ReadResult } from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import {
  aggregateRecords,
  buildConditions,
  createPageCondition,
  getQuoteOrder,
  parseQuoteKey,
  type QuoteReadOptions,
  quotesStatement,
  toReadResult,
} from './record-statements.ts';
import type { SecurityKeys } from './resolve-securities.ts';
import { selectRecords } from './select-records.ts';
import { anyCondition, isOneOf, type SqlCondition } from './sql-fragments.ts';

/** The quotes of several securities. */
export interface SecuritiesMatch {
  /** At least one record more than requested, if there are others; separated by newlines. */
  readonly result: ReadResult;
  /** How many there are on all pages, or what selects their keys, perhaps several times. */
  readonly total: number | SqlStatement;
}

/**
 * The quotes of several securities in a cluster, whose planner takes no union of many parts. Those
 * of a range are one statement, in which each node finds its own; the newest of each security are a
 * statement for each, which one node answers.
 */
export function* readQuotesFromNodes(
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

/** More than one where symbols share an ISIN. */
const MAX_NEWEST_QUOTES = 10_000;

/** Newest day first, then by the bytes of the symbol. */
function compareKeys([aDate = '', aSymbol]: RecordKey, [bDate = '', bSymbol]: RecordKey): number {
  if (aDate !== bDate) return aDate < bDate ? 1 : -1;
  return Buffer.compare(Buffer.from(String(aSymbol)), Buffer.from(String(bSymbol)));
}
