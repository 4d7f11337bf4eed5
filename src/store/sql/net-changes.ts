import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  getStorageTable,
  type OrderedColumn,
  type StorageTable,
} from '../../schema/storage-table.ts';
import type { NetChange, NetChanges, NetChangesFilter } from '../reader.ts';
import { sealedTextSql } from '../sealed-text.ts';
import type { Dialect } from './dialect.ts';
import { countTouchedRows, type TouchedRows } from './ledger.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import { unionAll } from './select-records.ts';
import {
  afterPositionCondition,
  buildSql,
  getKeyColumns,
  hasKeySql,
  isSameRecordSql,
  orderAndLimit,
  ownDistributedRows,
  ownRows,
  type SqlCondition,
  type SqlPart,
  selectWhere,
} from './sql-fragments.ts';

interface ComparisonFilter extends NetChangesFilter {
  /** Whether records that are stored as they were count as well: all of them got a measure. */
  readonly includesUnchanged?: boolean;
}

/**
 * The records that differ between two revisions, in the order of responses. One that was touched
 * but is as it was counts against the limit, so that each call is short.
 */
export function* findNetChanges(
  dataset: Dataset,
  filter: ComparisonFilter,
  dialect: Dialect,
): QuerySteps<NetChanges> {
  const table = getStorageTable(dataset);
  const { includesUnchanged } = filter;
  const counts = yield* countTouchedRows(dataset.name, getFirstRevision(filter), filter.until);
  // A revision that does not exist, as after a restore, is never claimed.
  const revision = Math.min(filter.until, counts.newest);
  if (counts.published === 0 && counts.superseded === 0) return { revision, changes: [] };
  const rows = yield* queryRows<TouchedRow>(
    dialect.isDistributed && table.distributionColumn !== undefined
      ? distributedStatement(table, filter)
      : keysFirstStatement(table, filter, counts, dialect),
  );
  const touched = rows.map(({ old, new: replacement, ...columns }): NetChange => {
    const key = table.key.map(({ column }) => columns[column] ?? '');
    return { key, old, new: replacement };
  });
  const changes = touched.filter(
    ({ key, ...change }, index) =>
      (includesUnchanged || change.old !== change.new) && !isSameKey(key, touched[index - 1]?.key),
  );
  const last = touched.length < filter.limit ? undefined : touched.at(-1)?.key;
  return last ? { revision, changes, last } : { revision, changes };
}

/** Records count that were published after this revision. */
function getFirstRevision({ since, includesUnchanged }: ComparisonFilter): number {
  return includesUnchanged ? 0 : since;
}

interface TouchedRow extends Pick<NetChange, 'old' | 'new'> {
  readonly [keyColumn: string]: string | number | null;
}

/** A record that was superseded and published comes twice, one after the other. */
function isSameKey(key: NetChange['key'], other: NetChange['key'] | undefined): boolean {
  return key.every((value, index) => value === other?.[index]);
}

/** Keys first, so that both versions are read only of records within the limit. */
function keysFirstStatement(
  table: StorageTable,
  filter: ComparisonFilter,
  counts: TouchedRows,
  { needsPlannerHints }: Dialect,
): SqlStatement {
  const keyColumns = table.key.map(({ column }) => column);
  const isSameRecord = hasKeySql(table, 'version', (column) => `stored.${column}`);
  const old = filter.includesUnchanged
    ? selectVersionAt(table, isSameRecord, filter.since)
    : selectVersion(table, isSameRecord, filter.since, true);
  const replacement = selectVersionAt(table, isSameRecord, filter.until);
  const selected = [...keyColumns, buildSql`${old} AS old`, buildSql`${replacement} AS new`];
  const halves = buildKeyStatements(table, filter, counts);
  return unionAll(halves, selected, orderAndLimit(table.key, filter.limit), { needsPlannerHints });
}

/** The text of a record as of a revision, current or not; null if it has none. */
function selectVersionAt(
  table: StorageTable,
  isSameRecord: string,
  revision: number,
): SqlStatement {
  const current = selectVersion(table, isSameRecord, revision, false);
  const history = selectVersion(table, isSameRecord, revision, true);
  return buildSql`coalesce(${current}, ${history})`;
}

function selectVersion(
  table: StorageTable,
  isSameRecord: string,
  revision: number,
  isHistory: boolean,
): SqlStatement {
  // The sum keeps planners on the key: by day and end they would pass other records of the day.
  const isValidTo: SqlCondition[] = isHistory ? [['version.until + 0 > ?', revision]] : [];
  const conditions: SqlCondition[] = [
    [isSameRecord],
    ['version.since <= ?', revision],
    ...isValidTo,
  ];
  const from = `${isHistory ? table.historyTable : table.currentTable} AS version`;
  return buildSql`(${selectWhere([sealedTextSql(table, 'version')], from, conditions)})`;
}

/** The keys of current records, then of superseded ones; each kind only if there may be some. */
function buildKeyStatements(
  table: StorageTable,
  filter: ComparisonFilter,
  { published, superseded, supersededLater, current, history }: TouchedRows,
): SqlStatement[] {
  const { since, until, limit } = filter;
  const { currentTable, historyTable } = table;
  // Few rows are found by revision, and sorted. If there are many, some come soon by key.
  const chooseIndex = (column: RevisionColumn, rows: number, tableRows: number) =>
    rows * rows <= 4 * limit * tableRows ? column : 'key';
  const isWithin = (column: RevisionColumn, first: number): Comparison[] => [
    [column, '>', first],
    [column, '<=', until],
  ];
  const isPublished = isWithin('since', getFirstRevision(filter));
  const select = (from: string, index: KeyIndex, ...comparisons: Comparison[]) =>
    selectKeys(table, from, index, comparisons, filter.after);
  const statements: SqlStatement[] = [];
  if (published > 0)
    statements.push(select(currentTable, chooseIndex('since', published, current), ...isPublished));
  if (published > 0 && supersededLater > 0) {
    const index =
      published < supersededLater
        ? chooseIndex('since', published, history)
        : chooseIndex('until', supersededLater, history);
    statements.push(select(historyTable, index, ...isPublished, ['until', '>', until]));
  }
  if (superseded > 0 && since > 0) {
    const index = chooseIndex('until', superseded, history);
    statements.push(
      select(historyTable, index, ...isWithin('until', since), ['since', '<=', since]),
    );
  }
  return statements;
}

type RevisionColumn = 'since' | 'until';
/** The filter that rows are found by. */
type KeyIndex = RevisionColumn | 'key';
type Comparison = readonly [column: RevisionColumn, operator: '>' | '<=', revision: number];

/** Columns that the index does not begin with are hidden from the planner. */
function selectKeys(
  table: StorageTable,
  from: string,
  index: KeyIndex,
  comparisons: readonly Comparison[],
  after: NetChangesFilter['after'],
): SqlStatement {
  const key = index === 'key' ? table.key : table.key.map((column) => hideColumn(table, column));
  const columns = table.key.map(({ column }, position) => `${key[position]?.column} AS ${column}`);
  const conditions: SqlCondition[] = [
    ...ownRows(table),
    ...comparisons.map(([column, operator, revision]): SqlCondition => {
      const compared = column === index ? column : `${column} + 0`;
      return [`${compared} ${operator} ?`, revision];
    }),
    ...(after ? [afterPositionCondition(key, after)] : []),
  ];
  return selectWhere(columns, from, conditions);
}

function hideColumn({ columns }: StorageTable, ordered: OrderedColumn): OrderedColumn {
  const { column } = ordered;
  const isText = columns.find(({ name }) => name === column)?.type === 'text';
  return { ...ordered, column: isText ? `${column} || ''` : `${column} + 0` };
}

/** In a cluster each node finds its own records, and their other versions, which it has as well. */
function distributedStatement(table: StorageTable, filter: ComparisonFilter): SqlStatement {
  const { currentTable, historyTable, key } = table;
  const { since, until, after, includesUnchanged } = filter;
  const isSameRecord = isSameRecordSql(table, 'version', 'own', { isDistributed: true });
  const old = includesUnchanged
    ? selectVersionAt(table, isSameRecord, since)
    : selectVersion(table, isSameRecord, since, true);
  const replacement = selectVersionAt(table, isSameRecord, until);
  const ownKey = key.map((ordered) => ({ ...ordered, column: `own.${ordered.column}` }));
  const isAfter = after ? [afterPositionCondition(ownKey, after)] : [];
  const keyColumns = getKeyColumns(table).map((column) => `own.${column} AS ${column}`);
  const select = (
    from: string,
    [before, now]: readonly [SqlPart, SqlPart],
    ...conditions: SqlCondition[]
  ) => {
    const columns = [...keyColumns, buildSql`${before} AS old`, buildSql`${now} AS new`];
    return selectWhere(columns, `${from} AS own`, [
      ...ownDistributedRows(table, 'own'),
      ...conditions,
      ...isAfter,
    ]);
  };
  const own = sealedTextSql(table, 'own');
  const isPublished: SqlCondition = [
    'own.since > ? AND own.since <= ?',
    getFirstRevision(filter),
    until,
  ];
  const isSuperseded: SqlCondition = ['own.until > ? AND own.until <= ?', since, until];
  const halves = [
    select(currentTable, [old, own], isPublished),
    select(historyTable, [old, own], isPublished, ['own.until > ?', until]),
    select(historyTable, [own, replacement], isSuperseded, ['own.since <= ?', since]),
  ];
  const columns = [...key.map(({ column }) => column), 'old', 'new'];
  return unionAll(halves, columns, orderAndLimit(key, filter.limit), { isDistributed: true });
}
