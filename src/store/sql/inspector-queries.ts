import { NONE_DECLARED } from '../../catalogue/catalogues.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import type { KeyRange, StoredSlice, StoreInspector } from '../inspector.ts';
import type { EncodedRow, StoredRow } from '../rows.ts';
import { findDeclarations } from './declarations.ts';
import { findNewestRevision, readLedger } from './ledger.ts';
import { createLogQueries } from './ledger-log.ts';
import { type QuerySteps, queryRow, queryRows, type SqlStatement } from './query-steps.ts';
import type { QuerySession } from './session.ts';
import {
  buildSql,
  formatOrder,
  getStoredColumns,
  joinSql,
  ownRows,
  rangeConditions,
  type SqlCondition,
  selectWhere,
  whereClause,
} from './sql-fragments.ts';
import { findDateBounds, hasDays } from './stream-by-date-slice.ts';

type InspectorSession = Pick<QuerySession, 'dialect' | 'run'>;

/** A few milliseconds of work. */
const SLICE_ROWS = 1_000;
/** Few enough that days with many rows, older than years without any, do not make a slice too large. */
const MAX_SLICE_DAYS = 32;
const LEDGER_PAGE_ENTRIES = 100;

/** All but what engines check of themselves. */
export function createInspectorQueries(
  session: InspectorSession,
): Omit<StoreInspector, 'structureFaults' | 'indexFaults' | 'close'> {
  const { run, dialect } = session;
  return {
    ...createLogQueries(session),
    revision: async () => run(findNewestRevision, { isSingleStatement: true }),
    declarations: async (revision) =>
      run(() => findDeclarations(revision, NONE_DECLARED, { skipsDamaged: true })),
    async *slices(table, revision) {
      if (dialect.isDistributed && hasDays(table))
        return yield* readDaySlices(session, table, revision);
      const isDescending = table.key[0]?.isDescending === true;
      let last: KeyRange['from'];
      do {
        const slice = await run(() => findSlice(session, table, revision, last));
        yield slice;
        last = isDescending ? slice.range.from : slice.range.before;
      } while (last !== undefined);
    },
    async summaryRows(table, revision, range) {
      const rows = await run(() => queryRows(summaryRowsStatement(table, revision, range)));
      return rows.map((row) => Object.values(row));
    },
    async *ledger(revision) {
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

/** About as many rows as a slice has, from a value of the first key column on, in the order of keys. */
function* findSlice(
  session: InspectorSession,
  table: StorageTable,
  revision: number,
  last: KeyRange['from'],
): QuerySteps<StoredSlice> {
  const row = yield* queryRow<{ boundary: string | number }>(boundaryStatement(table, last));
  const isDescending = table.key[0]?.isDescending === true;
  const [from, before] = isDescending ? [row?.boundary, last] : [last, row?.boundary];
  return yield* findRows(session, table, revision, { from, before });
}

/** The value of the first key column as many rows after another one, or after the first. */
function boundaryStatement(table: StorageTable, after: KeyRange['from']): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const { column = '', isDescending } = key[0] ?? {};
  const isAfter: SqlCondition[] = [
    ...ownRows(table),
    ...(after === undefined ? [] : [[`${column} ${isDescending ? '<' : '>'} ?`, after] as const]),
  ];
  const union = [currentTable, historyTable].map((from) => selectWhere([column], from, isAfter));
  return buildSql`SELECT ${column} AS boundary FROM (${joinSql(union, ' UNION ALL ')}) AS stored
    ORDER BY ${formatOrder(key.slice(0, 1))} LIMIT 1 OFFSET ${String(SLICE_ROWS)}`;
}

function* findRows(
  { dialect }: InspectorSession,
  table: StorageTable,
  revision: number,
  range: KeyRange,
): QuerySteps<StoredSlice> {
  const rows = yield* queryRows(storedRowsStatement(table, range));
  // Only some nodes of a cluster may show rows of a revision that the ledger does not have yet.
  const newest = dialect.isDistributed ? Number.MAX_SAFE_INTEGER : yield* findNewestRevision();
  const isLater = (value: number | null) =>
    Number.isInteger(value) && Number(value) > revision && Number(value) <= newest;
  const stored = rows
    .map(toStoredRow)
    .filter(({ since }) => !isLater(since))
    .map((row) => (isLater(row.until) ? { ...row, until: null } : row));
  return { rows: stored, range };
}

/** Every row of a range, current and history, by key and then by age. */
function storedRowsStatement(table: StorageTable, range: KeyRange): SqlStatement {
  const stored = getStoredColumns(table).join(', ');
  const inRange = rangeConditions(table.key[0]?.column ?? '', range);
  const where = whereClause([...ownRows(table), ...inRange]);
  return buildSql`SELECT * FROM (SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${table.currentTable}${where}
    UNION ALL SELECT ${stored}, until FROM ${table.historyTable}${where})
    AS stored ORDER BY ${formatOrder([...table.key, { column: 'since' }])}`;
}

function toStoredRow(row: object): StoredRow {
  const { record, since, until, ...columns } = row as Pick<StoredRow, 'since' | 'until'> & {
    readonly record: unknown;
  };
  const values = Object.values(columns) as EncodedRow['columns'];
  // A damaged record may have another type than text.
  return { columns: values, json: String(record), since, until };
}

function summaryRowsStatement(
  { name, columns, key: [first], revisionColumn }: SummaryTable,
  revision: number,
  range: KeyRange = {},
): SqlStatement {
  const names = columns.map((column) => column.name);
  const isOlder = [`${revisionColumn} <= ?`, revision] as const;
  return selectWhere(names, name, [isOlder, ...rangeConditions(first?.column ?? '', range)]);
}

/** Days, newest first. The coordinator collects and sorts a query's rows: never all of them. */
async function* readDaySlices(
  session: InspectorSession,
  table: StorageTable,
  revision: number,
): AsyncGenerator<StoredSlice> {
  const readRange = async (range: KeyRange) =>
    session.run(() => findRows(session, table, revision, range));
  const bounds = await session.run(() => findDateBounds(table));
  let before: string | undefined;
  if (bounds && isDay(bounds.first) && isDay(bounds.last)) {
    let days = 1;
    for (let day = parseDay(bounds.last); day > parseDay(bounds.first); day -= days) {
      const from = formatDay(day);
      const slice = await readRange({ from, before });
      yield slice;
      before = from;
      days =
        slice.rows.length < SLICE_ROWS ? Math.min(days * 2, MAX_SLICE_DAYS) : Math.ceil(days / 2);
    }
  }
  yield await readRange({ before });
}
