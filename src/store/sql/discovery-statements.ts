import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { SqlStatement } from './query-steps.ts';
import type { ResolvedAsOf } from './select-records.ts';
import { formatOrder, selectRecords, startedCondition, unionAll } from './select-records.ts';

/**
 * What the ledger tells of each dataset up to a revision: how many records are left, the last
 * revision, and whether others came after it. Each record that stands was added once more often
 * than it was retired, so that nothing needs to be counted.
 */
export function datasetStatesStatement(revision?: number): SqlStatement {
  const upTo = revision === undefined ? '' : 'WHERE revision <= ?';
  const sql = `SELECT last.dataset, last.revision, last.published_at, last.source, last.sample,
    last.newest, told.count, EXISTS (SELECT 1 FROM revisions AS later
      WHERE later.dataset = last.dataset AND later.revision > last.revision) AS changed
    FROM (SELECT max(revision) AS revision, sum(added) - sum(retired) AS count
      FROM revisions ${upTo} GROUP BY dataset) AS told
    JOIN revisions AS last ON last.revision = told.revision`;
  return { sql, values: revision === undefined ? [] : [revision] };
}

/** The record of the first or last day or period. */
export function boundaryRecordStatement(
  table: StorageTable,
  end: 'first' | 'last',
  asOf?: ResolvedAsOf,
): SqlStatement {
  const [{ column } = { column: '' }] = table.key;
  const order = getOrder(column, end);
  if (asOf?.isDistributed)
    return selectRecords(table, ['record'], [], { asOf, order: [order], limit: 1 });
  return firstRowStatement(table, 'record', order, [], asOf);
}

/** Every security by symbol: the first day that it was quoted on, and its newest record. */
export function securitiesStatement(table: StorageTable, asOf?: ResolvedAsOf): SqlStatement {
  return asOf?.isDistributed
    ? groupedSecuritiesStatement(table, asOf)
    : skipScanSecuritiesStatement(table, asOf);
}

/** By a look at all records, each machine at its own: every security is kept on one of them. */
function groupedSecuritiesStatement(
  { currentTable, historyTable }: StorageTable,
  { revision }: ResolvedAsOf,
): SqlStatement {
  const from = (table: string) =>
    `SELECT symbol_key, symbol, date, record FROM ${table} WHERE ${STARTED_CONDITION}`;
  const all = `${from(currentTable)} UNION ALL ${from(historyTable)} AND ${NOT_ENDED_CONDITION}`;
  const values = [revision, revision, revision];
  const sql = `SELECT quoted.symbol, first_date AS "firstDate", newest.record AS newest
    FROM (SELECT symbol_key, symbol, min(date) AS first_date, max(date) AS last_date
      FROM (${all}) AS stood GROUP BY symbol_key, symbol) AS quoted
    JOIN (${all}) AS newest ON newest.symbol_key = quoted.symbol_key
      AND newest.symbol = quoted.symbol AND newest.date = quoted.last_date
    ORDER BY quoted.symbol`;
  return { sql, values: [...values, ...values] };
}

/**
 * From key to key is one step in an index, so what counts is how many securities there are, not
 * how many records. Symbols that differ only in letter case have one key: who is not written as
 * the key is looked for beside.
 */
function skipScanSecuritiesStatement(table: StorageTable, asOf?: ResolvedAsOf): SqlStatement {
  const halves = asOf ? [table.currentTable, table.historyTable] : [table.currentTable];
  const names = halves.flatMap((half) => [
    `SELECT symbol_key, symbol_key FROM ${half}_keys WHERE symbol_key IS NOT NULL`,
    `SELECT symbol_key, symbol FROM ${half} WHERE symbol <> symbol_key`,
  ]);
  const own = ['symbol_key = names.symbol_key', 'symbol = names.symbol'];
  const first = firstRowStatement(table, 'date', getOrder('date', 'first'), own, asOf);
  const last = firstRowStatement(table, 'date', getOrder('date', 'last'), own, asOf);
  const newest = lastRecordSql(table, 'quoted', asOf);
  const sql = `WITH RECURSIVE ${halves.map(distinctKeysCte).join(', ')},
    names (symbol_key, symbol) AS (${names.join(' UNION ')})
    SELECT symbol, first_date AS "firstDate", ${newest.sql} AS newest
    FROM (SELECT symbol, (${first.sql}) AS first_date, (${last.sql}) AS last_date FROM names) AS quoted
    WHERE first_date IS NOT NULL ORDER BY symbol`;
  return { sql, values: [...newest.values, ...first.values, ...last.values] };
}

/** Every key of a table, each found from the one before it; a null at the end. */
function distinctKeysCte(table: string): string {
  return `${table}_keys (symbol_key) AS (
    SELECT min(symbol_key) FROM ${table} UNION ALL
    SELECT (SELECT min(symbol_key) FROM ${table} WHERE symbol_key > before.symbol_key)
    FROM ${table}_keys AS before WHERE before.symbol_key IS NOT NULL)`;
}

/** The record of a symbol's last day. */
function lastRecordSql(
  { currentTable, historyTable }: StorageTable,
  quoted: string,
  asOf?: ResolvedAsOf,
): SqlStatement {
  const of = (table: string, stood: readonly string[]) => {
    const own = [`date = ${quoted}.last_date`, `symbol = ${quoted}.symbol`, ...stood];
    return `(SELECT record FROM ${table} WHERE ${own.join(' AND ')})`;
  };
  if (!asOf) return { sql: of(currentTable, []), values: [] };
  const { revision } = asOf;
  const sql = `coalesce(${of(currentTable, [STARTED_CONDITION])}, ${of(historyTable, [STARTED_CONDITION, NOT_ENDED_CONDITION])})`;
  return { sql, values: [revision, revision, revision] };
}

const STARTED_CONDITION = 'since <= ?';
const NOT_ENDED_CONDITION = 'until > ?';

/** A column of the first record, in an order, among those that stand or stood. */
function firstRowStatement(
  { currentTable, historyTable }: StorageTable,
  column: string,
  by: OrderedColumn,
  conditions: readonly string[],
  asOf?: ResolvedAsOf,
): SqlStatement {
  const columns = [...new Set([column, by.column])];
  const from = (half: string, all: readonly string[]) =>
    `SELECT ${columns.join(', ')} FROM ${half}
      ${all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`}`;
  const end = `ORDER BY ${formatOrder([by])} LIMIT 1`;
  if (!asOf)
    return {
      sql: `SELECT ${column} FROM (${from(currentTable, conditions)} ${end}) AS first`,
      values: [],
    };
  const { revision, newestDay } = asOf;
  // No record of the past is newer than the newest of its time: what came since is passed by.
  const [upTo, day] = newestDay === null ? [[], []] : [['date <= ?'], [newestDay]];
  const begun = [...conditions, ...upTo, startedCondition(asOf)];
  const halves = [
    { sql: from(currentTable, begun), values: [...day, revision] },
    {
      sql: from(historyTable, [...begun, NOT_ENDED_CONDITION]),
      values: [...day, revision, revision],
    },
  ];
  return unionAll(halves, [column], { sql: end, values: [] }, asOf);
}

function getOrder(column: string, end: 'first' | 'last'): OrderedColumn {
  return end === 'last' ? { column, isDescending: true } : { column };
}
