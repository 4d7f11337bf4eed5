import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { SqlStatement } from './query-steps.ts';
import { type LocatedRecords, selectRecords } from './select-records.ts';
import {
  bind,
  buildSql,
  joinSql,
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
  const upTo = revision === undefined ? '' : buildSql`WHERE revision <= ${bind(revision)}`;
  return buildSql`SELECT last.dataset, last.revision, last.published_at AS "publishedAt", last.source,
    last.sample, last.newest AS "newestDay", totals.count, EXISTS (SELECT 1 FROM revisions AS later
      WHERE later.dataset = last.dataset AND later.revision > last.revision) AS "hasLater"
    FROM (SELECT max(revision) AS revision, sum(added) - sum(retired) AS count
      FROM revisions ${upTo} GROUP BY dataset) AS totals
    JOIN revisions AS last ON last.revision = totals.revision`;
}

type Boundary = 'first' | 'last';
type AsOf = LocatedRecords | undefined;

export function boundaryRecordStatement(
  table: StorageTable,
  boundary: Boundary,
  asOf?: LocatedRecords,
  conditions: readonly SqlCondition[] = [],
): SqlStatement {
  const [{ column } = { column: '' }] = table.key;
  return firstRowStatement(table, 'record', conditions, { boundary, column, asOf });
}

/**
 * Every symbol: the first day that it was quoted on, and its newest record; null if it has none.
 * They are looked up for each symbol, whatever the number of records. In a cluster all that belongs
 * to a symbol is on one shard, which looks it up.
 */
export function symbolsStatement(
  table: StorageTable,
  { name }: SummaryTable,
  dialect: SymbolDialect,
  asOf?: LocatedRecords,
): SqlStatement {
  // Each look-up is a query of one shard, for which nothing is distributed.
  const localAsOf = asOf?.isDistributed
    ? { ...asOf, isDistributed: false, needsPlannerHints: true }
    : asOf;
  const statements = symbolLengthConditions(dialect).map((hasLength) => {
    const isSame: SqlCondition[] = [
      ['symbol_key = names.symbol_key'],
      // As a column, PostgreSQL 18 would search it on every day, in an index that begins with dates.
      ["symbol || '' = names.symbol"],
    ];
    const conditions = [...isSame, ...hasLength];
    const select = (selected: string, boundary: Boundary) =>
      firstRowStatement(table, selected, conditions, { boundary, column: 'date', asOf: localAsOf });
    const [first, newest] = [select('date', 'first'), select('record', 'last')];
    return buildSql`SELECT symbol, (${first}) AS "firstDate", (${newest}) AS newest
      FROM (SELECT DISTINCT symbol_key, symbol FROM ${name}${whereClause(hasLength)}) AS names`;
  });
  return buildSql`${joinSql(statements, ' UNION ALL ')} ORDER BY symbol`;
}

/** The selected column of the first or last record, by another column. */
function firstRowStatement(
  table: StorageTable,
  selected: string,
  conditions: readonly SqlCondition[],
  { boundary, column, asOf }: { boundary: Boundary; column: string; asOf: AsOf },
): SqlStatement {
  const order: OrderedColumn = boundary === 'last' ? { column, isDescending: true } : { column };
  // No record is newer than the newest day then: what was published since is not scanned.
  const isScanned = asOf && asOf.newestDay !== null && !asOf.isDistributed;
  const upTo: SqlCondition[] = isScanned ? [['date <= ?', asOf.newestDay]] : [];
  return selectRecords(table, [selected], [...conditions, ...upTo], {
    asOf,
    order: [order],
    limit: 1,
  });
}
