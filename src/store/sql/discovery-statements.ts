import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { SqlStatement } from './query-steps.ts';
import type { ResolvedAsOf } from './resolve-as-of.ts';
import { selectRecords, unionAll, validFromCondition } from './select-records.ts';
import {
  formatOrder,
  getConditionValues,
  type SqlCondition,
  type SymbolDialect,
  symbolLengthConditions,
  whereClause,
} from './sql-fragments.ts';

/**
 * The state of each dataset up to a revision, by the ledger: how many records it has, its last
 * revision, and whether there are later ones. Each current record was added once more often than
 * it was retired, so no records need to be counted.
 */
export function datasetStatesStatement(revision?: number): SqlStatement {
  const upTo = revision === undefined ? '' : 'WHERE revision <= ?';
  const sql = `SELECT last.dataset, last.revision, last.published_at AS "publishedAt", last.source,
    last.sample, last.newest AS "newestDay", totals.count, EXISTS (SELECT 1 FROM revisions AS later
      WHERE later.dataset = last.dataset AND later.revision > last.revision) AS "hasLater"
    FROM (SELECT max(revision) AS revision, sum(added) - sum(retired) AS count
      FROM revisions ${upTo} GROUP BY dataset) AS totals
    JOIN revisions AS last ON last.revision = totals.revision`;
  return { sql, values: revision === undefined ? [] : [revision] };
}

type Boundary = 'first' | 'last';

export function boundaryRecordStatement(
  table: StorageTable,
  boundary: Boundary,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const [{ column } = { column: '' }] = table.key;
  const order = getOrder(column, boundary);
  if (asOf?.isDistributed) {
    return selectRecords(table, ['record'], [], { asOf, order: [order], limit: 1 });
  }
  return firstRowStatement(table, { column: 'record', order, conditions: [], asOf });
}

/**
 * Every symbol: the first day that it was quoted on, and its newest record; null if it has none.
 * They are looked up for each symbol, whatever the number of records. In a cluster all that belongs
 * to a symbol is on one shard, which looks it up.
 */
export function securitiesStatement(
  table: StorageTable,
  { name }: SummaryTable,
  dialect: SymbolDialect,
  asOf?: ResolvedAsOf,
): SqlStatement {
  // Each look-up is a query of one shard, for which nothing is distributed.
  const localAsOf = asOf?.isDistributed
    ? { ...asOf, isDistributed: false, needsPlannerHints: true }
    : asOf;
  const statements = symbolLengthConditions(dialect).map((hasLength): SqlStatement => {
    const isSame: SqlCondition[] = [['symbol_key = names.symbol_key'], ['symbol = names.symbol']];
    const conditions = [...isSame, ...hasLength];
    const select = (column: string, boundary: Boundary) => {
      const order = getOrder('date', boundary);
      return firstRowStatement(table, { column, order, conditions, asOf: localAsOf });
    };
    const [first, newest] = [select('date', 'first'), select('record', 'last')];
    const names = `SELECT DISTINCT symbol_key, symbol FROM ${name}${whereClause(hasLength)}`;
    return {
      sql: `SELECT symbol, (${first.sql}) AS "firstDate", (${newest.sql}) AS newest FROM (${names}) AS names`,
      values: [...first.values, ...newest.values],
    };
  });
  return {
    sql: `${statements.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY symbol`,
    values: statements.flatMap(({ values }) => values),
  };
}

const VALID_TO_CONDITION = 'until > ?';

interface FirstRowOptions {
  readonly column: string;
  readonly order: OrderedColumn;
  readonly conditions: readonly SqlCondition[];
  readonly asOf: ResolvedAsOf | undefined;
}

function firstRowStatement(
  { currentTable, historyTable }: StorageTable,
  { column, order, conditions, asOf }: FirstRowOptions,
): SqlStatement {
  const columns = [...new Set([column, order.column])].join(', ');
  const select = (table: string, all: readonly SqlCondition[]): SqlStatement => ({
    sql: `SELECT ${columns} FROM ${table}${whereClause(all)}`,
    values: getConditionValues(all),
  });
  const tail = `ORDER BY ${formatOrder([order])} LIMIT 1`;
  if (!asOf) {
    const { sql, values } = select(currentTable, conditions);
    return { sql: `SELECT ${column} FROM (${sql} ${tail}) AS first`, values };
  }
  const { revision, newestDay } = asOf;
  // No record is newer than the newest day then: what was published since is not scanned.
  const upTo: SqlCondition[] = newestDay === null ? [] : [['date <= ?', newestDay]];
  const current: SqlCondition[] = [...conditions, ...upTo, [validFromCondition(asOf), revision]];
  const history: SqlCondition[] = [...current, [VALID_TO_CONDITION, revision]];
  const halves = [select(currentTable, current), select(historyTable, history)];
  return unionAll(halves, [column], { sql: tail, values: [] }, asOf);
}

function getOrder(column: string, boundary: Boundary): OrderedColumn {
  return boundary === 'last' ? { column, isDescending: true } : { column };
}
