import { getStorageTable } from '../../schema/storage-table.ts';
import type {
  QuoteSelection,
  ReadResult,
  SecurityKeyColumn,
  Selection,
  StoreQueries,
} from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import { completeResult } from './added-fields.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryCount, queryRow, type SqlRows } from './query-steps.ts';
import { capAtNewestDay, oneSymbolStatement, type SecurityLookup } from './quote-filters.ts';
import {
  isinQuotesStatement,
  parseQuoteKey,
  type QuotePageSelection,
  type QuoteReadOptions,
  quoteCountStatement,
  quotesStatement,
} from './quote-statements.ts';
import { readObservations } from './read-observations.ts';
import { readQuotesOfSecurities } from './read-quotes-of-securities.ts';
import { ISIN_PATTERN, resolveSecurities } from './resolve-securities.ts';
import {
  type AsOfCache,
  dropLastRecord,
  type LocatedRecords,
  locateRecords,
  recordsStatement,
  toReadResult,
  UNCOMMITTED_STATE,
} from './select-records.ts';
import type { QuerySession } from './session.ts';

export function createSelectionReader(
  session: Pick<QuerySession, 'dialect' | 'run'>,
  cache?: AsOfCache,
): StoreQueries['read'] {
  // A session may have `run` as a method.
  return (selection) =>
    session.run(() => readSelection(selection, session.dialect, cache), {
      isSingleStatement: isSingleStatement(selection),
      asOf: selection.asOf,
    });
}

/** If a selection needs several statements, all must see one revision. */
export function* readSelection(
  selection: Selection,
  dialect: Dialect,
  cache?: AsOfCache,
): QuerySteps<ReadResult> {
  const result = yield* readStored(selection, dialect, cache);
  return selection.dataset.addedFields ? completeResult(selection, result) : result;
}

function* readStored(
  selection: Selection,
  dialect: Dialect,
  cache?: AsOfCache,
): QuerySteps<ReadResult> {
  const { asOf: revision, dataset, includeTotal } = selection;
  if (cache && revision !== undefined && revision >= cache.newest && !dialect.isDistributed) {
    // Most such reads are as of the newest revision, whose records are the current ones.
    const result = yield* readResolved(selection, dialect, undefined);
    cache.newest = result.revision;
    if (result.revision <= revision) return result;
  }
  const asOf = yield* locateRecords(dataset, revision, dialect, cache);
  if (asOf === 'nothing') {
    return { revision: revision ?? 0, count: 0, records: '', ...(includeTotal && { total: 0 }) };
  }
  const result = yield* readResolved(selection, dialect, asOf);
  if (!asOf) {
    if (cache) cache.newest = result.revision;
    return result;
  }
  // A revision that does not exist yet, or no longer after a restore, is never claimed.
  if (asOf === UNCOMMITTED_STATE) return { ...result, revision: yield* findNewestRevision() };
  if (dialect.isDistributed) return { ...result, revision: asOf.revision };
  // A replica that lags has as current what another server had superseded already.
  if (result.revision < (asOf.newestRevision ?? 0)) return yield* readStored(selection, dialect);
  return { ...result, revision: Math.min(asOf.revision, result.revision) };
}

/** Whether it is likely to be one: the revision may have to be looked up first. */
export function isSingleStatement(selection: Selection): boolean {
  if (selection.kind === 'observations') return !selection.includeTotal;
  if (selection.kind !== 'quotes') return true;
  return !selection.includeTotal && !selection.after && !selection.securities;
}

function* readResolved(
  selection: Selection,
  dialect: Dialect,
  asOf: LocatedRecords | undefined,
): QuerySteps<ReadResult> {
  if (selection.kind === 'quotes' && selection.securities)
    return yield* readQuotesOfSecurities(selection, selection.securities, { dialect, asOf });
  if (selection.kind === 'quotes') return yield* readQuotes(selection, { dialect, asOf });
  if (selection.kind === 'observations')
    return yield* readObservations(selection, { dialect, asOf });
  const table = getStorageTable(selection.dataset);
  const result = toReadResult(yield recordsStatement(table, selection, asOf));
  return selection.includeTotal ? { ...result, total: result.count } : result;
}

function* readQuotes(selection: QuoteSelection, options: QuoteReadOptions): QuerySteps<ReadResult> {
  // One record above the limit shows whether there are more.
  const lookahead = { ...selection, limit: selection.limit + 1 };
  const match = yield* selection.after
    ? readNextPage(lookahead, selection.after, options)
    : readFirstPage(lookahead, options);
  const result = dropLookaheadRecord(match, selection);
  if (!selection.includeTotal) return result;
  const count = quoteCountStatement(match.selection, { ...options, lookup: match.lookup });
  return { ...result, total: yield* queryCount(count) };
}

/** A result, and the selection and lookup that it was found with. */
interface QuoteMatch {
  readonly result: ReadResult;
  readonly selection: QuoteSelection;
  readonly lookup: SecurityLookup;
}

function toMatch(rows: SqlRows, selection: QuoteSelection, lookup: SecurityLookup): QuoteMatch {
  return { result: toReadResult(rows), selection, lookup };
}

/** The first page. A symbol wins over an ISIN. */
function* readFirstPage(
  selection: QuoteSelection,
  options: QuoteReadOptions,
): QuerySteps<QuoteMatch> {
  const { security, dataset } = selection;
  const { asOf, dialect } = options;
  const attempts = asOf ? capAtNewestDay(selection, asOf.newestDay) : [selection];
  const [first = selection, last = first] = attempts;
  if (security !== undefined && ISIN_PATTERN.test(security) && !dialect.isDistributed) {
    const match = yield* readByIsin({ ...first, security }, options);
    if (match) return match;
  }
  let match = toMatch(yield quotesStatement(first, options), first, 'symbol_key');
  if (match.result.count === 0 && last !== first)
    match = toMatch(yield quotesStatement(last, options), last, 'symbol_key');
  if (match.result.count > 0 || security === undefined) return match;
  const { symbols } = yield* resolveSecurities(dataset, [security], { asOf }, dialect);
  if (symbols.length > 0) return match;
  const lookup = 'isin_key';
  return toMatch(yield quotesStatement(last, { ...options, lookup }), last, lookup);
}

/** The quotes of the only symbol that has an ISIN; undefined if there may be others. */
function* readByIsin(
  selection: QuoteSelection & { readonly security: string },
  options: QuoteReadOptions,
): QuerySteps<QuoteMatch | undefined> {
  const rows = yield isinQuotesStatement(selection, options);
  const result = toReadResult(rows);
  const row = rows[0] as { readonly isComplete: boolean | number } | undefined;
  return row?.isComplete && result.count > 0
    ? { result, selection, lookup: 'symbol_of_isin' }
    : undefined;
}

/** The records after a key: the rest of its day, then the days that follow in their order. */
function* readNextPage(
  selection: QuoteSelection,
  key: RecordKey,
  options: QuoteReadOptions,
): QuerySteps<QuoteMatch> {
  const lookup = yield* chooseLookup(selection, key, options);
  const buildStatement = (page: QuotePageSelection) =>
    quotesStatement(page, { ...options, lookup });
  const sameDay = toReadResult(yield buildStatement({ ...selection, afterKey: key }));
  const limit = selection.limit - sameDay.count;
  if (limit === 0) return { result: sameDay, selection, lookup };
  const otherDays = toReadResult(
    yield buildStatement({ ...selection, limit, afterDate: String(key[0]) }),
  );
  const texts = [sameDay.records, otherDays.records].filter((text) => text !== '');
  const result = {
    revision: otherDays.revision,
    count: sameDay.count + otherDays.count,
    records: texts.join(selection.asNdjson ? '\n' : ','),
  };
  return { result, selection, lookup };
}

function* chooseLookup(
  { dataset, security }: QuoteSelection,
  [, , column]: RecordKey,
  { dialect }: QuoteReadOptions,
): QuerySteps<SecurityLookup> {
  const matchedBy = column === 'isin_key' ? column : 'symbol_key';
  if (security === undefined || matchedBy === 'symbol_key' || dialect.isDistributed)
    return matchedBy;
  const row = yield* queryRow<{ readonly hasOneSymbol: boolean | number }>(
    oneSymbolStatement(dataset, security, dialect),
  );
  return row?.hasOneSymbol ? 'symbol_of_isin' : 'isin_key';
}

/** Removes the record above the limit, and adds the position of the one before it. */
function dropLookaheadRecord(
  { result: found, lookup }: QuoteMatch,
  selection: QuoteSelection,
): ReadResult {
  const { limit, dataset, security } = selection;
  if (found.count <= limit) return found;
  const { result, last } = dropLastRecord(found, selection);
  const [, , thirdField] = Object.keys(dataset.fields);
  // Date and symbol come first; parsing the others would take longer than all the rest of this.
  const key = `${last.slice(0, last.indexOf(`,"${thirdField}":`))}}`;
  const matchedBy: SecurityKeyColumn = lookup === 'symbol_key' ? lookup : 'isin_key';
  const lastKey = [...parseQuoteKey(key), ...(security === undefined ? [] : [matchedBy])];
  return { ...result, lastKey };
}
