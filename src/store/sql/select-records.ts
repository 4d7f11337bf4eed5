import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  foldAsciiCase,
  getStorageTable,
  type OrderedColumn,
  type StorageTable,
} from '../../schema/storage-table.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import type { ReadResult, RecordSelection, Selection } from '../reader.ts';
import type { Dialect, UnionHints } from './dialect.ts';
import { type QuerySteps, queryRow, type SqlRows, type SqlStatement } from './query-steps.ts';
import {
  andOwnRows,
  bind,
  buildSql,
  getStoredColumns,
  hasKeySql,
  isOneOf,
  joinSql,
  orderAndLimit,
  ownDistributedRows,
  ownRows,
  type SqlCondition,
  type SqlPart,
  selectWhere,
} from './sql-fragments.ts';
import type { DateSlice } from './stream-by-date-slice.ts';

interface SelectOptions {
  readonly asOf?: LocatedRecords | undefined;
  /** The only day whose records are selected. */
  readonly onDay?: string | undefined;
  readonly order?: readonly OrderedColumn[];
  readonly limit?: number;
  /** With `asOf`: whether keys are found before records are read. */
  readonly keysFirst?: boolean;
}

interface RecordFilter extends Pick<SelectOptions, 'onDay'> {
  readonly conditions: readonly SqlCondition[];
}

/** Columns of the records that meet the conditions, current ones or as of a revision. */
export function selectRecords(
  table: StorageTable,
  columns: readonly string[],
  conditions: readonly SqlCondition[],
  { asOf, onDay, order = [], limit, keysFirst = false }: SelectOptions,
): SqlStatement {
  const tail = orderAndLimit(order, limit);
  if (!asOf || asOf.isDistributed) {
    const all = [...conditions, ...dayCondition(onDay)];
    if (asOf) return selectDistributed(table, columns, all, { asOf, tail });
    return buildSql`${selectWhere(columns, table.currentTable, [...ownRows(table), ...all])}${tail}`;
  }
  const filter = { conditions, onDay };
  if (keysFirst) return selectByKeys(table, columns, filter, { asOf, tail });
  // A union can only be ordered by its own columns.
  const selected = [...new Set([...columns, ...order.map(({ column }) => column)])];
  const halves = selectBothTables(table, () => selected, filter, asOf);
  return unionAll(halves, columns, tail, asOf);
}

/** The same of the records that meet any of several sets of conditions, each found by an index. */
export function selectRecordsOfAny(
  table: StorageTable,
  columns: readonly string[],
  conditionSets: readonly (readonly SqlCondition[])[],
  { asOf, order = [], limit, hints }: SelectOptions & { readonly hints: UnionHints },
): SqlStatement {
  const selected = [...new Set([...columns, ...order.map(({ column }) => column)])];
  const parts = conditionSets.flatMap((conditions) =>
    asOf
      ? selectBothTables(table, () => selected, { conditions }, asOf)
      : [selectRecords(table, selected, conditions, {})],
  );
  return unionAll(parts, columns, orderAndLimit(order, limit), hints);
}

/** Columns of all parts, in order and up to the limit. */
export function unionAll(
  selects: readonly SqlStatement[],
  columns: readonly SqlPart[],
  tail: SqlStatement,
  { needsPlannerHints, isDistributed }: UnionHints,
): SqlStatement {
  const limitsEach = needsPlannerHints && selects.length > 1;
  const parts = limitsEach ? selects.map((part) => buildSql`(${part} ${tail})`) : selects;
  const union = joinSql(parts, ' UNION ALL ');
  const selected = joinSql(columns, ', ');
  // In a cluster, with the order outside, each node sorts and limits its own rows.
  return isDistributed
    ? buildSql`SELECT ${selected} FROM (${union}) AS stored ${tail}`
    : buildSql`SELECT ${selected} FROM (${union} ${tail}) AS stored`;
}

/** Both tables have the same indexes, so each half comes in order and the two are merged. */
function selectBothTables(
  table: StorageTable,
  columns: (isHistory: 0 | 1) => readonly string[],
  { conditions: filter, onDay }: RecordFilter,
  asOf: LocatedRecords,
): SqlStatement[] {
  const { currentTable, historyTable } = table;
  const { revision, needsPlannerHints } = asOf;
  const conditions = [...ownRows(table), ...filter];
  const isValidFrom = [needsPlannerHints ? 'since + 0 <= ?' : 'since <= ?', revision] as const;
  const current: SqlCondition[] = [...conditions, ...dayCondition(onDay), isValidFrom];
  const history: SqlCondition[] =
    onDay === undefined
      ? [...current, ['until > ?', revision]]
      : [
          ...conditions,
          supersededDayCondition(historyTable, onDay, revision),
          isValidFrom,
          ['until + 0 > ?', revision],
        ];
  return [
    ...(asOf.tables === 'history' ? [] : [selectWhere(columns(0), currentTable, current)]),
    ...(asOf.tables === 'current' ? [] : [selectWhere(columns(1), historyTable, history)]),
  ];
}

/** The condition that selects one day, if only one is selected. */
export function dayCondition(onDay: string | undefined): SqlCondition[] {
  return onDay === undefined ? [] : [['date = ?', onDay]];
}

/**
 * The same for the history: none of it is read if nothing on that day was superseded after the
 * revision. Most corrections come soon, and their records would all be passed without effect.
 */
function supersededDayCondition(
  historyTable: string,
  onDay: string,
  revision: number,
): SqlCondition {
  const day = `SELECT date FROM ${historyTable} WHERE date = ? AND until > ? LIMIT 1`;
  return [`date = (${day})`, onDay, revision];
}

/** Finds keys by indexes alone, and reads only the records of those within the limit. */
function selectByKeys(
  table: StorageTable,
  columns: readonly string[],
  filter: RecordFilter,
  { asOf, tail }: { asOf: LocatedRecords; tail: SqlStatement },
): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const keyNames = key.map(({ column }) => column);
  const keys = selectBothTables(
    table,
    (isHistory) => [...keyNames, 'since', `${isHistory} AS is_history`],
    filter,
    asOf,
  );
  const hasKey = (row: string) => hasKeySql(table, row, (column) => `stored.${column}`);
  const record = `CASE is_history
    WHEN 0 THEN (SELECT record FROM ${currentTable} AS n WHERE ${hasKey('n')})
    ELSE (SELECT record FROM ${historyTable} AS p WHERE ${hasKey('p')} AND p.since = stored.since)
    END AS record`;
  const selected = columns.map((column) => (column === 'record' ? record : column));
  return unionAll(keys, selected, tail, {});
}

/**
 * Columns of the records as of a revision, on any node. Citus pushes a union down to the nodes, so
 * that each sorts and limits its own rows, only if the union has the distribution column and the
 * conditions are outside of it. As of the newest revision, the only superseded rows are those of a
 * pending revision, which the index on `until` finds.
 */
function selectDistributed(
  table: StorageTable,
  columns: readonly string[],
  conditions: readonly SqlCondition[],
  { asOf: { revision, isNewest }, tail }: { asOf: LocatedRecords; tail: SqlStatement },
): SqlStatement {
  const { currentTable, historyTable, fixed } = table;
  const stored = [...fixed.map(({ name }) => name), ...getStoredColumns(table)].join(', ');
  const union = isNewest
    ? buildSql`SELECT ${stored} FROM ${currentTable} UNION ALL SELECT ${stored} FROM ${historyTable} WHERE until > ${bind(revision)}`
    : `SELECT ${stored}, ${ABOVE_ALL_REVISIONS} AS until FROM ${currentTable} UNION ALL SELECT ${stored}, until FROM ${historyTable}`;
  const isValid: SqlCondition = isNewest
    ? ['since <= ?', revision]
    : ['until > ? AND since <= ?', revision, revision];
  const from = buildSql`(${union}) AS stored`;
  const all = [isValid, ...ownDistributedRows(table), ...conditions];
  return buildSql`${selectWhere(columns, from, all)}${tail}`;
}

/** The columns of a union; in a cluster with the distribution column. */
export function withDistributionColumn(
  { distributionColumn }: StorageTable,
  columns: readonly string[],
  { isDistributed }: UnionHints,
): string[] {
  const added = isDistributed && distributionColumn !== undefined ? [distributionColumn] : [];
  return [...new Set([...columns, ...added])];
}

/** An earlier revision, and which tables have its records. */
export interface LocatedRecords extends UnionHints {
  readonly revision: number;
  readonly tables: 'current' | 'history' | 'both';
  /** The newest day of the dataset at that revision; null if unknown, or if it has none. */
  readonly newestDay: string | null;
  readonly isNewest?: boolean;
  /** Where it is cached: the newest revision when it was resolved; `tables` holds from then on. */
  readonly newestRevision?: number;
}

/** Revision numbers are four bytes long: one above all, and the highest there could be. */
export const [ABOVE_ALL_REVISIONS, MAX_REVISION] = [2_147_483_647, 2_147_483_646];

/** The current records of a cluster for a session with the write lock, uncommitted ones included. */
export const UNCOMMITTED_STATE: LocatedRecords = {
  revision: MAX_REVISION,
  tables: 'both',
  newestDay: null,
  isDistributed: true,
  isNewest: true,
};

/**
 * Where the records of a revision are; undefined if they are the current ones, and 'nothing'
 * if it has none. In a cluster the current records are read as of the newest revision, because
 * only what is read by a revision's number is the same on all nodes.
 */
export function* locateRecords(
  dataset: Dataset,
  asOf: number | undefined,
  { isDistributed, holdsWriteLock, needsPlannerHints }: Dialect,
  cache?: AsOfCache,
): QuerySteps<LocatedRecords | 'nothing' | undefined> {
  if (isDistributed && holdsWriteLock && asOf === undefined) return UNCOMMITTED_STATE;
  if (isDistributed) return yield* locateDistributedRecords(dataset, asOf);
  if (asOf === undefined) return undefined;
  const key = `${dataset.name} ${asOf}`;
  const cached = cache?.resolved.get(key);
  if (cached) return cached;
  const row = yield* queryRow<AsOfRow>(asOfStatement(getStorageTable(dataset), dataset.name, asOf));
  if (!row || asOf >= (row.newestRevision ?? 0)) return undefined;
  const { inCurrent, inHistory, newestDay } = row;
  if (!inCurrent && !inHistory) return 'nothing';
  const tables = inCurrent && inHistory ? 'both' : inCurrent ? 'current' : 'history';
  const resolved = { revision: asOf, tables, newestDay, needsPlannerHints } as const;
  // Later publications may supersede current records, which are then found in the history.
  cache?.resolved.set(key, {
    ...resolved,
    tables: inCurrent ? 'both' : 'history',
    newestRevision: row.newestRevision ?? 0,
  });
  return resolved;
}

/** Earlier findings of a reader, so that most reads as of a revision are a single statement. */
export class AsOfCache {
  /** The newest revision of any result. */
  newest = 0;
  /** Where the records of a dataset are, by its name and an earlier revision. */
  readonly resolved = createBoundedMap<string, LocatedRecords>(MAX_CACHED_REVISIONS);
}

const MAX_CACHED_REVISIONS = 1_000;

interface AsOfRow extends Pick<LocatedRecords, 'newestDay'> {
  readonly newestRevision: number | null;
  /** Engines return true and false, or 1 and 0. */
  readonly inCurrent: boolean | number;
  readonly inHistory: boolean | number;
}

/** The newest revision, whether any current record is as old, whether there is any history. */
export function asOfStatement(
  table: StorageTable,
  dataset: string,
  revision: number,
): SqlStatement {
  const { currentTable, historyTable } = table;
  const history = selectWhere(['1'], historyTable, ownRows(table)).sql;
  const sql = `SELECT (SELECT max(revision) FROM revisions) AS "newestRevision",
    EXISTS (SELECT 1 FROM ${currentTable} WHERE since <= ?${andOwnRows(table)}) AS "inCurrent",
    EXISTS (${history}) AS "inHistory", ${NEWEST_DAY_SQL}`;
  return { sql, values: [revision, dataset, revision] };
}

const NEWEST_DAY_SQL = `(SELECT newest FROM revisions WHERE dataset = ? AND revision <= ?
      ORDER BY revision DESC LIMIT 1) AS "newestDay"`;

function* locateDistributedRecords(
  { name }: Dataset,
  asOf: number | undefined,
): QuerySteps<LocatedRecords> {
  const upTo = asOf ?? Number.MAX_SAFE_INTEGER;
  const row = yield* queryRow<Pick<LocatedRecords, 'revision' | 'newestDay'>>({
    sql: `SELECT coalesce(max(revision), 0) AS revision, ${NEWEST_DAY_SQL}
      FROM revisions WHERE revision <= ?`,
    values: [name, upTo, upTo],
  });
  const { revision = 0, newestDay = null } = row ?? {};
  return { revision, tables: 'both', newestDay, isDistributed: true, isNewest: asOf === undefined };
}

type RecordSeparator = ',' | '\n';

/** Every record, or those with some identifiers, in the order of responses. */
export function recordsStatement(
  table: StorageTable,
  { identifiers, asNdjson }: Pick<RecordSelection, 'identifiers' | 'asNdjson'>,
  asOf?: LocatedRecords,
): SqlStatement {
  const separator = asNdjson ? '\n' : ',';
  if (identifiers) {
    const records = selectRecords(table, ['record'], [hasIdentifier(table, identifiers)], { asOf });
    return aggregateRecords(records, separator, asOf);
  }
  if (!asOf?.isDistributed)
    return aggregateRecords(allRecordsStatement(table, asOf), separator, asOf);
  // The coordinator collects the rows of several nodes in whatever order.
  const keyColumns = table.key.map(({ column }) => column);
  const records = selectRecords(table, ['record', ...keyColumns], [], { asOf });
  return aggregateRecords(records, separator, asOf, 'record', table.key);
}

/** Every record of a dataset, or of a slice of it, one by one, in the order of responses. */
export function allRecordsStatement(
  table: StorageTable,
  asOf?: LocatedRecords,
  slice?: DateSlice,
): SqlStatement {
  const conditions: SqlCondition[] = slice ? [['date >= ? AND date < ?', ...slice]] : [];
  return selectRecords(table, ['record'], conditions, { asOf, order: table.key });
}

/** That a record has one of some identifiers, in any letter case. */
export function hasIdentifier(
  { key: [first], unusedKey = [] }: StorageTable,
  identifiers: readonly string[],
): SqlCondition {
  const [isListed, ...values] = isOneOf(first?.column ?? '', identifiers.map(foldAsciiCase));
  // With all of its columns, planners take the key rather than the index by revision.
  const isWhole = unusedKey.map(({ name, value }) => ` AND ${name} = '${value}'`).join('');
  return [isListed + isWhole, ...values];
}

/** As the maximum it would be a plan in a plan, which takes PostgreSQL a fifth of the time of a history. */
const NEWEST_REVISION_SQL = 'SELECT revision FROM revisions ORDER BY revision DESC LIMIT 1';

/** The records, or an expression of each, as one text, with their count and the newest revision. */
export function aggregateRecords(
  records: SqlStatement,
  separator: RecordSeparator,
  asOf?: LocatedRecords,
  text = 'record',
  order: readonly OrderedColumn[] = [],
): SqlStatement {
  // In a cluster it is known before.
  const revision = asOf?.isDistributed ? '' : `(${NEWEST_REVISION_SQL}) AS revision,`;
  return buildSql`SELECT ${revision}
    count(*) AS count, string_agg(${text}, '${separator}'${orderAndLimit(order, undefined)}) AS records FROM (${records}) AS matches`;
}

interface AggregatedRow {
  readonly revision: number | null;
  readonly count: number | string;
  readonly records: string | null;
}

/** Removes the last record of a result, which is one above its limit; also returns the one before it. */
export function dropLastRecord(
  { records: all, count, ...result }: ReadResult,
  { dataset, asNdjson }: Pick<Selection, 'dataset' | 'asNdjson'>,
): { result: ReadResult; last: string } {
  const [firstField] = Object.keys(dataset.fields);
  // Quotes within a record's texts are escaped, so only a record can start like this.
  const start = `{"${firstField}":`;
  const records = all.slice(0, all.lastIndexOf(`${asNdjson ? '\n' : ','}${start}`));
  const last = records.slice(records.lastIndexOf(start));
  return { result: { ...result, count: count - 1, records }, last };
}

/** The result of a statement that aggregates records, which returns one row. */
export function toReadResult([first]: SqlRows): ReadResult {
  const row = first as AggregatedRow | undefined;
  return {
    revision: row?.revision ?? 0,
    // Engines may return large numbers as text.
    count: Number(row?.count),
    records: row?.records ?? '',
  };
}
