import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { SqlStatement } from './query-steps.ts';
import type { ResolvedAsOf } from './resolve-as-of.ts';
import { selectRecords, unionAll, validFromCondition } from './select-records.ts';
import {
  formatOrder,
  getConditionValues,
  type SqlCondition,
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

/** Every symbol: the first day that it was quoted on, and its newest record; null if it has none. */
export function securitiesStatement(
  table: StorageTable,
  securities: SummaryTable,
  asOf?: ResolvedAsOf,
): SqlStatement {
  return asOf?.isDistributed
    ? groupedSecuritiesStatement(table, asOf)
    : lookedUpSecuritiesStatement(table, securities, asOf);
}

/** Scans all records, each node its own: all records of a security are on one node. */
function groupedSecuritiesStatement(
  { currentTable, historyTable }: StorageTable,
  { revision }: ResolvedAsOf,
): SqlStatement {
  const select = (table: string) =>
    `SELECT symbol_key, symbol, date, record FROM ${table} WHERE ${VALID_FROM_CONDITION}`;
  const all = `${select(currentTable)} UNION ALL ${select(historyTable)} AND ${VALID_TO_CONDITION}`;
  const values = [revision, revision, revision];
  const sql = `SELECT quoted.symbol, first_date AS "firstDate", newest.record AS newest
    FROM (SELECT symbol_key, symbol, min(date) AS first_date, max(date) AS last_date
      FROM (${all}) AS stored GROUP BY symbol_key, symbol) AS quoted
    JOIN (${all}) AS newest ON newest.symbol_key = quoted.symbol_key
      AND newest.symbol = quoted.symbol AND newest.date = quoted.last_date
    ORDER BY quoted.symbol`;
  return { sql, values: [...values, ...values] };
}

/** Looks up the first day and the newest record of each security, whatever the number of records. */
function lookedUpSecuritiesStatement(
  table: StorageTable,
  { name }: SummaryTable,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const conditions: SqlCondition[] = [['symbol_key = names.symbol_key'], ['symbol = names.symbol']];
  const select = (column: string, boundary: Boundary) =>
    firstRowStatement(table, { column, order: getOrder('date', boundary), conditions, asOf });
  const [first, newest] = [select('date', 'first'), select('record', 'last')];
  const sql = `SELECT symbol, (${first.sql}) AS "firstDate", (${newest.sql}) AS newest
    FROM (SELECT DISTINCT symbol_key, symbol FROM ${name}) AS names ORDER BY symbol`;
  return { sql, values: [...first.values, ...newest.values] };
}

const VALID_FROM_CONDITION = 'since <= ?';
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
