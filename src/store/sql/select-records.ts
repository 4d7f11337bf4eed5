import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { Dialect } from './dialect.ts';
import type { SqlStatement, SqlValue } from './query-steps.ts';

/** How both halves of the past are put together. */
export type UnionHints = Partial<Pick<Dialect, 'needsPlannerHints' | 'isDistributed'>>;

/** A revision of the past, and where its records are: among those that stand, or that ended. */
export interface ResolvedAsOf extends UnionHints {
  readonly revision: number;
  readonly tables: 'now' | 'past' | 'both';
  /** The newest day that the dataset had; null where that is not known, or it has none. */
  readonly newestDay: string | null;
  /** Whether there is no later revision of the dataset. */
  readonly isNewest?: boolean;
}

/** A condition and the values for its placeholders. */
export type SqlCondition = readonly [sql: string, ...values: SqlValue[]];

interface SelectOptions {
  readonly asOf?: ResolvedAsOf | undefined;
  readonly order?: readonly OrderedColumn[];
  readonly limit?: number;
  /** Of the past: whether keys are found before records are looked at. */
  readonly keysFirst?: boolean;
}

/** Columns of the records that meet the conditions, as they stand or as they stood. */
export function selectRecords(
  table: StorageTable,
  columns: readonly string[],
  conditions: readonly SqlCondition[],
  { asOf, order = [], limit, keysFirst = false }: SelectOptions,
): SqlStatement {
  // Cast, because SQLite plans anew whenever a bare limit is bound.
  const tail = {
    sql: `${orderByClause(order)}${limit === undefined ? '' : ' LIMIT cast(? AS INTEGER)'}`,
    values: limit === undefined ? [] : [limit],
  };
  if (!asOf) {
    const sql = `SELECT ${columns.join(', ')} FROM ${table.currentTable}${whereClause(conditions)}${tail.sql}`;
    return { sql, values: [...getConditionValues(conditions), ...tail.values] };
  }
  if (asOf.isDistributed) return selectDistributed(table, columns, conditions, asOf, tail);
  if (keysFirst)
    return selectByKeys(
      table,
      columns,
      selectCurrentAndHistory(table, getVersionKeyColumns(table), conditions, asOf),
      tail,
    );
  // What is ordered by must be among the columns of a union.
  const wanted = [...columns, ...order.map(({ column }) => column)];
  return unionAll(
    selectCurrentAndHistory(
      table,
      () => withDistributionColumn(table, wanted, asOf),
      conditions,
      asOf,
    ),
    columns,
    tail,
    asOf,
  );
}

/**
 * Columns of the records that stood at a revision, on any of many machines. Each machine unites
 * what it has, as it stands at one moment and in order, and sends no more of it than is wanted:
 * that takes a union that has each record's home, and conditions that stand outside. What has
 * ended since the newest revision is what is being published, if anything: it has its own index.
 */
function selectDistributed(
  { currentTable, historyTable, columns: own }: StorageTable,
  columns: readonly string[],
  conditions: readonly SqlCondition[],
  { revision, isNewest }: ResolvedAsOf,
  tail: SqlStatement,
): SqlStatement {
  const stored = [...own.map(({ name }) => name), 'record', 'since'].join(', ');
  const union = isNewest
    ? `SELECT ${stored} FROM ${currentTable} UNION ALL SELECT ${stored} FROM ${historyTable} WHERE until > ?`
    : `SELECT ${stored}, ${NEVER_ENDED} AS until FROM ${currentTable} UNION ALL SELECT ${stored}, until FROM ${historyTable}`;
  const stood: SqlCondition = [isNewest ? 'since <= ?' : 'until > ? AND since <= ?'];
  return {
    sql: `SELECT ${columns.join(', ')} FROM (${union}) AS stood${whereClause([stood, ...conditions])}${tail.sql}`,
    values: [revision, revision, ...getConditionValues(conditions), ...tail.values],
  };
}

/** Later than any revision, and the last one there could be. */
const [NEVER_ENDED, MAX_REVISION] = [2_147_483_647, 2_147_483_646];

/** The present of a cluster, for whoever holds it: what was just written has no entry yet. */
export const UNCOMMITTED_STATE: ResolvedAsOf = {
  revision: MAX_REVISION,
  tables: 'both',
  newestDay: null,
  isDistributed: true,
  isNewest: true,
};

/** The columns of a union of both halves; in a cluster, with that which says where they are kept. */
export function withDistributionColumn(
  { distributionColumn }: StorageTable,
  columns: readonly string[],
  { isDistributed }: UnionHints,
): string[] {
  return [
    ...new Set([
      ...columns,
      ...(isDistributed && distributionColumn !== undefined ? [distributionColumn] : []),
    ]),
  ];
}

/**
 * Columns of both halves, in order and up to the limit. In a cluster the order stands outside: so
 * each machine unites what it has, as it stands at one moment, and sends no more of it than the
 * limit lets through.
 */
export function unionAll(
  halves: readonly SqlStatement[],
  columns: readonly string[],
  tail: SqlStatement,
  { needsPlannerHints, isDistributed }: UnionHints,
): SqlStatement {
  const parts =
    needsPlannerHints && halves.length > 1 ? halves.map((half) => withOwnTail(half, tail)) : halves;
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  const selected = columns.join(', ');
  return {
    sql: isDistributed
      ? `SELECT ${selected} FROM (${union}) AS stood ${tail.sql}`
      : `SELECT ${selected} FROM (${union} ${tail.sql}) AS stood`,
    values: [...parts.flatMap(({ values }) => values), ...tail.values],
  };
}

function withOwnTail({ sql, values }: SqlStatement, tail: SqlStatement): SqlStatement {
  return { sql: `(${sql} ${tail.sql})`, values: [...values, ...tail.values] };
}

/**
 * The records that stood at a revision: those that still do, and those that ended since. Both
 * tables have the same indexes, so each half comes in order and the two are merged.
 */
function selectCurrentAndHistory(
  { currentTable, historyTable }: StorageTable,
  columns: (ended: 0 | 1) => readonly string[],
  conditions: readonly SqlCondition[],
  asOf: ResolvedAsOf,
): SqlStatement[] {
  const begun: SqlCondition = [startedCondition(asOf), asOf.revision];
  const still = [...conditions, begun];
  const once = [...conditions, begun, ['until > ?', asOf.revision] as const];
  const half = (table: string, ended: 0 | 1, all: readonly SqlCondition[]): SqlStatement => ({
    sql: `SELECT ${columns(ended).join(', ')} FROM ${table}${whereClause(all)}`,
    values: getConditionValues(all),
  });
  return [
    ...(asOf.tables === 'past' ? [] : [half(currentTable, 0, still)]),
    ...(asOf.tables === 'now' ? [] : [half(historyTable, 1, once)]),
  ];
}

/** That a record began by a revision; takes R. */
export function startedCondition({ needsPlannerHints }: UnionHints): string {
  return needsPlannerHints ? 'since + 0 <= ?' : 'since <= ?';
}

/** What tells a version of a record from all others, and which table it is in. */
function getVersionKeyColumns({ key }: StorageTable): (ended: 0 | 1) => readonly string[] {
  return (ended) => [...key.map(({ column }) => column), 'since', `${ended} AS ended`];
}

/**
 * Columns of the records whose keys were found. The indexes tell which records stood at a revision:
 * only of those that are wanted the record itself is looked at.
 */
function selectByKeys(
  { currentTable, historyTable, key }: StorageTable,
  columns: readonly string[],
  keys: readonly SqlStatement[],
  tail: SqlStatement,
): SqlStatement {
  const same = (table: string) =>
    key.map(({ column }) => `${table}.${column} = stood.${column}`).join(' AND ');
  const record = `CASE ended
    WHEN 0 THEN (SELECT record FROM ${currentTable} AS n WHERE ${same('n')})
    ELSE (SELECT record FROM ${historyTable} AS p WHERE ${same('p')} AND p.since = stood.since)
    END AS record`;
  const selected = columns.map((column) => (column === 'record' ? record : column)).join(', ');
  return unionAll(keys, [selected], tail, {});
}

function getConditionValues(conditions: readonly SqlCondition[]): SqlValue[] {
  return conditions.flatMap(([, ...values]) => values);
}

/** Whether a row follows a position in an order: keyset pagination. */
export function afterPositionCondition(
  [first, ...others]: readonly OrderedColumn[],
  [value = '', ...values]: readonly (string | number)[],
): SqlCondition {
  if (!first) return ['FALSE'];
  const { column, isDescending } = first;
  const operator = isDescending ? '<' : '>';
  if (others.length === 0) return [`${column} ${operator} ?`, value];
  const [sql, ...tail] = afterPositionCondition(others, values);
  // The first comparison alone bounds the search of an index.
  return [
    `${column} ${operator}= ? AND (${column} ${operator} ? OR ${sql})`,
    value,
    value,
    ...tail,
  ];
}

/** Columns in an order, as an index or an ORDER BY lists them. */
export function formatOrder(columns: readonly OrderedColumn[]): string {
  return columns
    .map(({ column, isDescending }) => (isDescending ? `${column} DESC` : column))
    .join(', ');
}

function orderByClause(columns: readonly OrderedColumn[]): string {
  return columns.length === 0 ? '' : ` ORDER BY ${formatOrder(columns)}`;
}

function whereClause(conditions: readonly SqlCondition[]): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
}
