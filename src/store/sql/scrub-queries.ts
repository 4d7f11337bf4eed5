import { NONE_DECLARED } from '../../catalogue/catalogues.ts';
import type { DatasetRows, StorageTable } from '../../schema/storage-table.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import type { KeyRange, StoredSlice, StoreInspector } from '../inspector.ts';
import { findDeclarations } from './declarations.ts';
import { findNewestRevision, readLedger } from './ledger.ts';
import { createLogQueries } from './ledger-log.ts';
import { queryRow, queryRows } from './query-steps.ts';
import { MAX_REVISION } from './resolve-as-of.ts';
import {
  boundaryStatement,
  findRevisionRows,
  limitRange,
  pickSliceStarts,
} from './sample-queries.ts';
import type { QuerySession } from './session.ts';
import { buildSql, ownRows, rangeConditions, selectWhere } from './sql-fragments.ts';
import { storedRowsStatement, summaryRowsStatement, toStoredRow } from './stored-rows.ts';
import { findDateBounds, hasDays } from './stream-by-date-slice.ts';

type ScrubSession = Pick<QuerySession, 'dialect' | 'run'>;

/** A few milliseconds of work. */
export const SLICE_ROWS = 1_000;
/** Few enough that days with many rows, older than years without any, do not make a slice too large. */
const MAX_SLICE_DAYS = 32;
const LEDGER_PAGE_ENTRIES = 100;

/** All but what engines check of themselves. */
export function createScrubQueries(
  session: ScrubSession,
): Omit<StoreInspector, 'structureFaults' | 'indexFaults' | 'close'> {
  const { run, dialect } = session;
  return {
    ...createLogQueries(session),
    revision: async () => run(findNewestRevision, { isSingleStatement: true }),
    declarations: async (revision = MAX_REVISION) =>
      run(() => findDeclarations(revision, NONE_DECLARED, { skipsDamaged: true })),
    async *slices(table, revision) {
      if (dialect.isDistributed && hasDays(table))
        return yield* readDaySlices(session, table, revision);
      const ranges = listKeyRanges(session, table, [table.currentTable, table.historyTable]);
      for await (const range of ranges) yield await readSlice(session, table, revision, range);
    },
    async *sampleSlices(table, revision, count) {
      const starts = await run(() => pickSliceStarts(table, count, SLICE_ROWS));
      for (const [index, start] of starts.entries()) {
        const range = await run(() => limitRange(table, start, starts[index + 1], SLICE_ROWS));
        yield await readSlice(session, table, revision, range);
      }
    },
    revisionRows: async (table, revision) => run(() => findRevisionRows(table, revision)),
    async summaryRows(table, revision, range) {
      const rows = await run(() => queryRows(summaryRowsStatement(table, revision, range)));
      return rows.map((row) => Object.values(row));
    },
    ends: async (table) =>
      // Of a pending revision, only some nodes of a cluster may show rows.
      dialect.isDistributed ? { ledger: 0, rows: 0 } : run(() => findEnds(table)),
    async *ledger(revision) {
      if (revision === undefined) return yield await run(() => readLedger());
      for (let after = 0; after < revision; ) {
        const entries = await run(() => readLedger([after, revision], LEDGER_PAGE_ENTRIES));
        const last = entries.at(-1);
        if (!last) return;
        yield entries;
        after = last.revision;
      }
    },
  };
}

/** The newest revision of the ledger, and that of any row of a table. */
export function* findEnds(table: StorageTable) {
  const ledger = yield* findNewestRevision();
  const own = ownRows(table);
  const { sql } = buildSql`${selectWhere(['max(since) AS last'], table.currentTable, own)}
    UNION ALL ${selectWhere(['max(until)'], table.historyTable, own)}`;
  const rows = yield* queryRows<{ last: number | null }>({ sql });
  return { ledger, rows: Math.max(...rows.map(({ last }) => Number(last ?? 0))) };
}

async function readSlice(
  { run }: ScrubSession,
  table: StorageTable,
  revision: number | undefined,
  range: KeyRange,
): Promise<StoredSlice> {
  const conditions = rangeConditions(table.key[0]?.column ?? '', range);
  const rows = await run(() => queryRows(storedRowsStatement(table, revision, conditions)));
  return { rows: rows.map(toStoredRow), range };
}

/** Ranges of about as many rows, in order, which together have all of a dataset in one or both tables. */
export async function* listKeyRanges(
  { run }: Pick<ScrubSession, 'run'>,
  datasetRows: DatasetRows,
  tables: readonly string[],
): AsyncGenerator<KeyRange> {
  const isDescending = datasetRows.key[0]?.isDescending === true;
  for (let last: string | number | undefined; ; ) {
    const statement = boundaryStatement(datasetRows, tables, last, SLICE_ROWS, isDescending);
    const row = await run(() => queryRow<{ boundary: string | number }>(statement));
    const [from, before] = isDescending ? [row?.boundary, last] : [last, row?.boundary];
    yield { from, before };
    if (!row) return;
    last = row.boundary;
  }
}

/** Days, newest first. The coordinator collects and sorts a query's rows: never all of them. */
async function* readDaySlices(
  session: ScrubSession,
  table: StorageTable,
  revision: number | undefined,
): AsyncGenerator<StoredSlice> {
  const bounds = await session.run(() => findDateBounds(table));
  let before: string | undefined;
  if (bounds && isDay(bounds.first) && isDay(bounds.last)) {
    let days = 1;
    for (let day = parseDay(bounds.last); day > parseDay(bounds.first); day -= days) {
      const from = formatDay(day);
      const slice = await readSlice(session, table, revision, { from, before });
      yield slice;
      before = from;
      days =
        slice.rows.length < SLICE_ROWS ? Math.min(days * 2, MAX_SLICE_DAYS) : Math.ceil(days / 2);
    }
  }
  yield await readSlice(session, table, revision, { before });
}
