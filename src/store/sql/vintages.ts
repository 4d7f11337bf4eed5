import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import type { RevisionedList, Vintage, VintageFilter } from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import { createCompleter } from './added-fields.ts';
import type { Dialect } from './dialect.ts';
import { findInstants, findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryRow, queryRows, type SqlStatement } from './query-steps.ts';
import { buildFilterConditions } from './quote-filters.ts';
import { getQuoteOrder } from './quote-statements.ts';
import { buildObservationConditions, getObservationOrder } from './read-observations.ts';
import { buildSecuritiesConditions, resolveSecurities } from './resolve-securities.ts';
import {
  ABOVE_ALL_REVISIONS,
  hasIdentifier,
  unionAll,
  withDistributionColumn,
} from './select-records.ts';
import {
  afterPositionCondition,
  anyCondition,
  isSameRecordSql,
  orderAndLimit,
  ownDistributedRows,
  ownRows,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';

/** Every state of the selected records that was published by a revision. */
export function* findVintages(
  filter: VintageFilter,
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<Vintage>> {
  const { dataset } = filter.selection;
  const table = getStorageTable(dataset);
  const newest = yield* findNewestRevision();
  const revision = Math.min(asOf ?? newest, newest);
  const conditionSets = yield* buildConditionSets(filter, { revision, newest }, dialect);
  const page = { conditionSets, revision };
  const rows = yield* queryRows<VintageRow>(vintagesStatement(filter, page, dialect));
  const isWithdrawn = ({ until }: VintageRow) => until <= revision;
  const instants = yield* findInstants(
    rows.flatMap((row) => (isWithdrawn(row) ? [row.since, row.until] : [row.since])),
  );
  const complete = createCompleter(dataset) ?? ((text) => text);
  const entries = rows.map((row): Vintage => {
    const { record, status, since } = row;
    const until = isWithdrawn(row) ? row.until : null;
    return {
      key: getKey(table, row),
      record: complete(record),
      ...(status !== undefined && { status }),
      since,
      published: instants.get(since) ?? '',
      until,
      withdrawn: until === null ? null : (instants.get(until) ?? ''),
    };
  });
  return { revision, entries };
}

interface VintageRow extends Pick<Vintage, 'record' | 'status' | 'since'> {
  readonly until: number;
}

function getKey({ key }: StorageTable, row: VintageRow): RecordKey {
  const columns = row as unknown as Readonly<Record<string, string | number>>;
  return key.map(({ column }) => columns[column] ?? '');
}

type ConditionSets = readonly (readonly SqlCondition[])[];

interface VintagesPage {
  readonly conditionSets: ConditionSets;
  readonly revision: number;
}

/** Both tables have the states in their order, by whatever index finds them, and are merged. */
function vintagesStatement(
  { selection, after, isFirstOnly }: VintageFilter,
  { conditionSets, revision }: VintagesPage,
  dialect: Dialect,
): SqlStatement {
  const table = getStorageTable(selection.dataset);
  const { currentTable, historyTable, hasStatus } = table;
  const order = [...getOrder(selection), { column: 'since' }];
  const all: SqlCondition[] = [
    ...(dialect.isDistributed ? ownDistributedRows : ownRows)(table),
    // Nearly all records meet it: hidden from planners, which would look for them by revision.
    ['since + 0 <= ?', revision],
    ...(after ? [afterPositionCondition(order, after)] : []),
  ];
  const keys = table.key.map(({ column }) => column);
  const columns = [...keys, 'record', ...(hasStatus ? ['status'] : []), 'since'];
  const stored = withDistributionColumn(table, columns, dialect);
  const select = (from: string, until: string) =>
    conditionSets.map((conditions) =>
      selectWhere([...stored, until], from, [
        ...conditions,
        ...all,
        ...(isFirstOnly ? [isFirstState(table, from, dialect)] : []),
      ]),
    );
  const parts = [
    ...select(currentTable, `${ABOVE_ALL_REVISIONS} AS until`),
    ...select(historyTable, 'until'),
  ];
  return unionAll(parts, [...columns, 'until'], orderAndLimit(order, selection.limit), dialect);
}

/** That a record has no earlier state, whatever that is: only the history has some. */
function isFirstState(table: StorageTable, from: string, dialect: Dialect): SqlCondition {
  const isSame = isSameRecordSql(table, 'earlier', from, dialect);
  // Hidden from planners likewise: the key has few states.
  return [
    `NOT EXISTS (SELECT 1 FROM ${table.historyTable} AS earlier WHERE ${isSame} AND earlier.since + 0 < ${from}.since)`,
  ];
}

function getOrder(selection: VintageFilter['selection']) {
  if (selection.kind === 'quotes') return getQuoteOrder(selection);
  if (selection.kind === 'observations') return getObservationOrder(selection);
  return getStorageTable(selection.dataset).key;
}

/** Sets of conditions, of which selected records meet one; each finds them by an index. */
function* buildConditionSets(
  { selection }: VintageFilter,
  { revision, newest }: Readonly<Record<'revision' | 'newest', number>>,
  dialect: Dialect,
): QuerySteps<ConditionSets> {
  const { isDistributed } = dialect;
  if (selection.kind === 'observations')
    return buildObservationConditions(selection, isDistributed);
  const { dataset } = selection;
  if (selection.kind === 'records') {
    const { identifiers } = selection;
    return [identifiers ? [hasIdentifier(getStorageTable(dataset), identifiers)] : []];
  }
  const { dateRange, security, securities = security === undefined ? [] : [security] } = selection;
  const others: SqlCondition[] = [
    // Whichever security they are of: it is looked up among all states.
    ...buildFilterConditions(selection, { dataset, dialect, lookup: undefined }),
    ...(dateRange ? [['date >= ? AND date <= ?', ...dateRange] as const] : []),
    ...(revision < newest ? yield* findNewestDayCondition(dataset, revision) : []),
  ];
  if (securities.length === 0) return [others];
  const found = yield* resolveSecurities(dataset, securities, { before: revision + 1 }, dialect);
  const ofSecurities = buildSecuritiesConditions(found, dialect);
  return isDistributed
    ? [[anyCondition(ofSecurities), ...others]]
    : ofSecurities.map((condition) => [condition, ...others]);
}

/** That no day came after a revision: a scan would pass all those that were published since. */
function* findNewestDayCondition({ name }: Dataset, revision: number): QuerySteps<SqlCondition[]> {
  const row = yield* queryRow<{ day: string | null; unknown: number | string }>({
    sql: `SELECT max(newest) AS day, count(*) - count(newest) AS unknown
      FROM revisions WHERE dataset = ? AND revision <= ?`,
    values: [name, revision],
  });
  return row?.day && Number(row.unknown) === 0 ? [['date <= ?', row.day]] : [];
}
