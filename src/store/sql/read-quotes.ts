import { getStorageTable } from '../../schema/storage-table.ts';
import type { ReadResult } from '../reader.ts';
import type { CursorPosition, QuoteSelection, SecurityKeyColumn } from '../selection.ts';
import type { Dialect } from './dialect.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import { queryRow } from './query-steps.ts';
import type { QuotePageSelection } from './record-statements.ts';
import {
  quoteCountStatement,
  quotesStatement,
  symbolExistsStatement,
} from './record-statements.ts';
import type { ResolvedAsOf } from './select-records.ts';

/** The quotes that are asked for, as they stand or stood, and whether more of them match. */
export function* readQuotes(
  asked: QuoteSelection,
  dialect: Dialect,
  asOf?: ResolvedAsOf,
): QuerySteps<ReadResult> {
  // One more than is wanted tells whether there is more.
  const more = { ...asked, limit: asked.limit + 1 };
  const found = yield* asked.after
    ? readNextPage(more, asked.after, dialect, asOf)
    : readFirstPage(more, dialect, asOf);
  const result = dropLookaheadRecord(found, asked);
  if (!asked.includeTotal) return result;
  const { selection, by: keyColumn } = found;
  const { sql, values } = quoteCountStatement(
    getStorageTable(asked.dataset),
    selection,
    keyColumn,
    asOf,
  );
  const counted = yield* queryRow<{ count: number | string }>(sql, values);
  return { ...result, total: Number(counted?.count) };
}

/** What a statement that joins records gives. */
export function* readAggregated({ sql, values }: SqlStatement): QuerySteps<ReadResult> {
  const row = yield* queryRow<AggregatedRow>(sql, values);
  return {
    revision: row?.revision ?? 0,
    // Engines may give large numbers as texts.
    count: Number(row?.count),
    records: row?.records ?? '',
  };
}

interface AggregatedRow {
  readonly revision: number | null;
  readonly count: number | string;
  readonly records: string | null;
}

/** What was read, and what led to it. */
interface QuoteMatch {
  readonly reading: ReadResult;
  readonly selection: QuoteSelection;
  readonly by: SecurityKeyColumn;
}

/** What is found from the start. A symbol wins over an ISIN. */
function* readFirstPage(
  asked: QuoteSelection,
  dialect: Dialect,
  asOf?: ResolvedAsOf,
): QuerySteps<QuoteMatch> {
  const table = getStorageTable(asked.dataset);
  const { security } = asked;
  const steps = asOf ? capAtNewestDay(asked, asOf.newestDay) : ([asked] as const);
  const find = function* (
    selection: QuoteSelection,
    keyColumn: SecurityKeyColumn,
  ): QuerySteps<QuoteMatch> {
    const result = yield* readAggregated(
      quotesStatement(table, selection, dialect, keyColumn, asOf),
    );
    return { reading: result, selection, by: keyColumn };
  };
  let found = yield* find(steps[0], 'symbol_key');
  for (const step of steps.slice(1)) {
    if (found.reading.count === 0) found = yield* find(step, 'symbol_key');
  }
  if (found.reading.count > 0 || security === undefined) return found;
  const symbol = yield symbolExistsStatement(table, security, asOf);
  return symbol.length > 0 ? found : yield* find(steps.at(-1) ?? asked, 'isin_key');
}

/** What comes behind a place: the rest of its day, then the days before it. */
function* readNextPage(
  asked: QuoteSelection,
  place: CursorPosition,
  dialect: Dialect,
  asOf?: ResolvedAsOf,
): QuerySteps<QuoteMatch> {
  const table = getStorageTable(asked.dataset);
  const { date, matchedBy = 'symbol_key' } = place;
  const find = (selection: QuotePageSelection) =>
    readAggregated(quotesStatement(table, selection, dialect, matchedBy, asOf));
  const sameDay = yield* find({ ...asked, afterPosition: place });
  const limit = asked.limit - sameDay.count;
  if (limit === 0) return { reading: sameDay, selection: asked, by: matchedBy };
  const earlier = yield* find({ ...asked, limit, beforeDate: date });
  const texts = [sameDay.records, earlier.records].filter((text) => text !== '');
  const reading = {
    revision: earlier.revision,
    count: sameDay.count + earlier.count,
    records: texts.join(asked.asNdjson ? '\n' : ','),
  };
  return { reading, selection: asked, by: matchedBy };
}

/** Takes the one record too many away again, and tells where the one before it stands. */
function dropLookaheadRecord(
  { reading: result, by: keyColumn }: QuoteMatch,
  { limit, asNdjson, dataset, security }: QuoteSelection,
): ReadResult {
  if (result.count <= limit) return result;
  // A text inside of a record has its quotes escaped, so only a record can begin like this.
  const start = `{"${Object.keys(dataset.fields)[0]}":`;
  const { records } = result;
  const kept = records.slice(0, records.lastIndexOf(`${asNdjson ? '\n' : ','}${start}`));
  const { date, symbol } = JSON.parse(kept.slice(kept.lastIndexOf(start))) as CursorPosition;
  const last = { date, symbol, ...(security !== undefined && { matchedBy: keyColumn }) };
  return { ...result, count: limit, records: kept, lastPosition: last };
}

/**
 * No record of the past is newer than the newest of its time. Saying so keeps a walk from the
 * newest day on from passing by everything that was published since. What is the latest then is
 * asked for in two steps, because it is nearly always of that very day.
 */
function capAtNewestDay(
  selection: QuoteSelection,
  newest: string | null,
): readonly [QuoteSelection, ...QuoteSelection[]] {
  if (newest === null) return [selection];
  const { dateRange, security, type } = selection;
  if (dateRange) {
    const [from, to] = dateRange;
    return [{ ...selection, dateRange: [from, to < newest ? to : newest] }];
  }
  const thatDay: QuoteSelection = { ...selection, dateRange: [newest, newest] };
  // The newest day of all is known; of a security or a type it may be an earlier one.
  if (security === undefined && type === undefined) return [thatDay];
  return [thatDay, { ...selection, notAfter: newest }];
}
