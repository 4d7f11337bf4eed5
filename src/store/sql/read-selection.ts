import { getStorageTable } from '../../schema/storage-table.ts';
import type {
  CursorPosition,
  QuoteSelection,
  ReadResult,
  SecurityKeyColumn,
  Selection,
} from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryRow, type SqlStatement } from './query-steps.ts';
import {
  fundStatement,
  type QuotePageSelection,
  type QuoteStatementOptions,
  quoteCountStatement,
  quotesStatement,
  seriesStatement,
  symbolExistsStatement,
} from './record-statements.ts';
import { type ResolvedAsOf, resolveAsOf, UNCOMMITTED_STATE } from './resolve-as-of.ts';

/** The records that match a selection. If it needs several statements, all must see one revision. */
export function* readSelection(selection: Selection, dialect: Dialect): QuerySteps<ReadResult> {
  const { asOf: revision, dataset, includeTotal } = selection;
  const asOf = yield* resolveAsOf(dataset, revision, dialect);
  if (asOf === 'nothing') {
    return { revision: revision ?? 0, count: 0, records: '', ...(includeTotal && { total: 0 }) };
  }
  const result = yield* readResolved(selection, dialect, asOf);
  // A revision that does not exist yet, or no longer after a restore, is never claimed.
  if (asOf === UNCOMMITTED_STATE) return { ...result, revision: yield* findNewestRevision() };
  return asOf ? { ...result, revision: asOf.revision } : result;
}

export function isSingleStatement(selection: Selection): boolean {
  if (selection.asOf !== undefined) return false;
  return selection.kind !== 'quotes' || !(selection.includeTotal || selection.after);
}

function* readResolved(
  selection: Selection,
  dialect: Dialect,
  asOf: ResolvedAsOf | undefined,
): QuerySteps<ReadResult> {
  if (selection.kind === 'quotes') return yield* readQuotes(selection, { dialect, asOf });
  const table = getStorageTable(selection.dataset);
  const result = yield* readAggregated(
    selection.kind === 'fund'
      ? fundStatement(table, selection.id, asOf)
      : seriesStatement(table, selection.asNdjson ? '\n' : ',', asOf),
  );
  return selection.includeTotal ? { ...result, total: result.count } : result;
}

type ReadOptions = Omit<QuoteStatementOptions, 'keyColumn'>;

function* readQuotes(selection: QuoteSelection, options: ReadOptions): QuerySteps<ReadResult> {
  // One record above the limit shows whether there are more.
  const lookahead = { ...selection, limit: selection.limit + 1 };
  const match = yield* selection.after
    ? readNextPage(lookahead, selection.after, options)
    : readFirstPage(lookahead, options);
  const result = dropLookaheadRecord(match, selection);
  if (!selection.includeTotal) return result;
  const { keyColumn } = match;
  const row = yield* queryRow<{ count: number | string }>(
    quoteCountStatement(match.selection, { ...options, keyColumn }),
  );
  return { ...result, total: Number(row?.count) };
}

function* readAggregated(statement: SqlStatement): QuerySteps<ReadResult> {
  const row = yield* queryRow<{
    revision: number | null;
    count: number | string;
    records: string | null;
  }>(statement);
  return {
    revision: row?.revision ?? 0,
    // Engines may return large numbers as text.
    count: Number(row?.count),
    records: row?.records ?? '',
  };
}

/** A result, and the selection and column that it was found with. */
interface QuoteMatch {
  readonly result: ReadResult;
  readonly selection: QuoteSelection;
  readonly keyColumn: SecurityKeyColumn;
}

/** The first page. A symbol wins over an ISIN. */
function* readFirstPage(selection: QuoteSelection, options: ReadOptions): QuerySteps<QuoteMatch> {
  const { security, dataset } = selection;
  const { asOf } = options;
  const attempts = asOf ? capAtNewestDay(selection, asOf.newestDay) : [selection];
  const find = function* (attempt: QuoteSelection, keyColumn: SecurityKeyColumn) {
    const result = yield* readAggregated(quotesStatement(attempt, { ...options, keyColumn }));
    return { result, selection: attempt, keyColumn };
  };
  const [first = selection, last = first] = attempts;
  let match: QuoteMatch = yield* find(first, 'symbol_key');
  if (match.result.count === 0 && last !== first) match = yield* find(last, 'symbol_key');
  if (match.result.count > 0 || security === undefined) return match;
  const symbols = yield symbolExistsStatement(getStorageTable(dataset), security, asOf);
  return symbols.length > 0 ? match : yield* find(last, 'isin_key');
}

/** The records after a position: the rest of its day, then earlier days. */
function* readNextPage(
  selection: QuoteSelection,
  position: CursorPosition,
  options: ReadOptions,
): QuerySteps<QuoteMatch> {
  const { date, matchedBy: keyColumn = 'symbol_key' } = position;
  const find = (page: QuotePageSelection) =>
    readAggregated(quotesStatement(page, { ...options, keyColumn }));
  const sameDay = yield* find({ ...selection, afterPosition: position });
  const limit = selection.limit - sameDay.count;
  if (limit === 0) return { result: sameDay, selection, keyColumn };
  const earlier = yield* find({ ...selection, limit, beforeDate: date });
  const texts = [sameDay.records, earlier.records].filter((text) => text !== '');
  const result = {
    revision: earlier.revision,
    count: sameDay.count + earlier.count,
    records: texts.join(selection.asNdjson ? '\n' : ','),
  };
  return { result, selection, keyColumn };
}

/** Removes the record above the limit, and adds the position of the one before it. */
function dropLookaheadRecord(
  { result, keyColumn }: QuoteMatch,
  { limit, asNdjson, dataset, security }: QuoteSelection,
): ReadResult {
  if (result.count <= limit) return result;
  // Quotes within a record's texts are escaped, so only a record can start like this.
  const start = `{"${Object.keys(dataset.fields)[0]}":`;
  const end = result.records.lastIndexOf(`${asNdjson ? '\n' : ','}${start}`);
  const records = result.records.slice(0, end);
  const { date, symbol } = JSON.parse(records.slice(records.lastIndexOf(start))) as CursorPosition;
  const lastPosition = { date, symbol, ...(security !== undefined && { matchedBy: keyColumn }) };
  return { ...result, count: limit, records, lastPosition };
}

/**
 * Adds that no record as of a revision is newer than the newest day then, which keeps a scan from
 * the newest day on from passing everything that was published since. The latest quotes are read
 * in two attempts, because they are nearly always of that very day.
 */
function capAtNewestDay(selection: QuoteSelection, newestDay: string | null): QuoteSelection[] {
  if (newestDay === null) return [selection];
  const { dateRange, security, type } = selection;
  if (dateRange) {
    const [from, to] = dateRange;
    return [{ ...selection, dateRange: [from, to < newestDay ? to : newestDay] }];
  }
  const onNewestDay: QuoteSelection = { ...selection, dateRange: [newestDay, newestDay] };
  // The last quotes of a security or a type may be of an earlier day.
  if (security === undefined && type === undefined) return [onNewestDay];
  return [onNewestDay, { ...selection, notAfter: newestDay }];
}
