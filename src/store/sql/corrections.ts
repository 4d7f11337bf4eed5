import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import {
  getStorageTable,
  type OrderedColumn,
  type StorageTable,
} from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter, RevisionedList, SecurityKeyColumn } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import {
  afterPositionCondition,
  formatOrder,
  getConditionValues,
  getKeyColumns,
  keysEqualSql,
  type SqlCondition,
  symbolCondition,
  whereClause,
} from './sql-fragments.ts';

/** By newest revision, then by key. Superseded records never change, so pages fit together. */
export function* findCorrections(
  dataset: Dataset,
  filter: CorrectionFilter,
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<Correction>> {
  const newest = yield* findNewestRevision();
  const revision = Math.min(asOf ?? newest, newest);
  const before = Math.min(filter.before ?? revision + 1, revision + 1);
  const table = getStorageTable(dataset);
  const find = (keyColumn: SecurityKeyColumn) =>
    queryRows<CorrectedRow>(
      correctedRowsStatement(table, { ...filter, before, keyColumn }, dialect),
    );
  let rows = yield* find('symbol_key');
  if (rows.length === 0 && filter.security !== undefined) {
    const symbols = yield symbolEverExistedStatement(table, filter.security, before, dialect);
    if (symbols.length === 0) rows = yield* find('isin_key');
  }
  return { revision, entries: yield* withPublishedAt(dataset, rows) };
}

interface CorrectedRow {
  readonly revision: number;
  readonly old: string;
  readonly replacement: string | null;
}

interface ResolvedFilter extends CorrectionFilter {
  readonly before: number;
  readonly keyColumn: SecurityKeyColumn;
}

/** Superseded records, each with the record that replaced it at once, if any did. */
function correctedRowsStatement(
  table: StorageTable,
  filter: ResolvedFilter,
  dialect: Dialect,
): SqlStatement {
  const { isDistributed } = dialect;
  const { distributionColumn: _, ...undistributed } = table;
  const { currentTable, historyTable, key } = table;
  const { security, identifier, after, limit } = filter;
  // One security or fund has few corrections: its own index finds them, and the sum keeps planners
  // from scanning all revisions instead, in the hope of finding enough of them soon.
  const until = security === undefined && identifier === undefined ? 'until' : 'until + 0';
  const order: OrderedColumn[] = [{ column: until, isDescending: true }, ...key];
  const conditions: SqlCondition[] = [
    [`${until} < ?`, filter.before],
    ...buildFilterConditions(table, filter, dialect),
    ...(after ? [afterPositionCondition(order, [after.revision, ...after.key])] : []),
  ];
  const matches = `FROM ${historyTable} AS old${whereClause(conditions)}
    ORDER BY ${formatOrder(order)} LIMIT cast(? AS INTEGER)`;
  // Indexes alone find the keys, so that only records within the limit are read. In a cluster a
  // record is found by its distribution column, which those indexes do not have.
  const keyed = isDistributed ? table : undistributed;
  const version = (from: string, since: string) =>
    `(SELECT own.record FROM ${from} AS own WHERE ${keysEqualSql(keyed, 'own', 'old')} AND own.since = old.${since})`;
  const keys = [...getKeyColumns(keyed), 'since', 'until'].join(', ');
  return {
    sql: `SELECT old.until AS revision, ${isDistributed ? 'old.record' : version(historyTable, 'since')} AS old,
      coalesce(${version(currentTable, 'until')}, ${version(historyTable, 'until')}) AS replacement
      ${isDistributed ? matches : `FROM (SELECT ${keys} ${matches}) AS old`}`,
    values: [...getConditionValues(conditions), limit],
  };
}

function buildFilterConditions(
  { key: [first] }: StorageTable,
  { security, identifier, from, to, keyColumn }: ResolvedFilter,
  dialect: Dialect,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  if (security !== undefined) {
    const key = foldAsciiCase(security);
    conditions.push(
      keyColumn === 'symbol_key' ? symbolCondition(key, dialect) : ['isin_key = ?', key],
    );
  }
  if (identifier !== undefined)
    conditions.push([`${first?.column} = ?`, foldAsciiCase(identifier)]);
  if (from !== undefined) conditions.push(['date >= ?', from]);
  if (to !== undefined) conditions.push(['date <= ?', to]);
  return conditions;
}

/** Whether a symbol had a record before a revision, so that all pages are found by one column. */
function symbolEverExistedStatement(
  { currentTable, historyTable }: StorageTable,
  security: string,
  before: number,
  dialect: Dialect,
): SqlStatement {
  const [hasSymbol, key = ''] = symbolCondition(foldAsciiCase(security), dialect);
  const select = (table: string) => `SELECT 1 FROM ${table} WHERE ${hasSymbol} AND since < ?`;
  const values = [key, before];
  return {
    sql: `${select(currentTable)} UNION ALL ${select(historyTable)} LIMIT 1`,
    values: [...values, ...values],
  };
}

function* withPublishedAt(
  { name }: Dataset,
  rows: readonly CorrectedRow[],
): QuerySteps<Correction[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const ledger = yield* queryRows<{ revision: number; instant: string }>({
    sql: `SELECT revision, published_at AS instant FROM revisions
      WHERE dataset = ? AND revision BETWEEN ? AND ?`,
    values: [name, last.revision, first.revision],
  });
  const instants = new Map(ledger.map(({ revision, instant }) => [revision, instant]));
  return rows.map(({ revision, old, replacement }) => ({
    revision,
    publishedAt: instants.get(revision) ?? '',
    change: replacement === null ? 'retired' : 'corrected',
    old,
    new: replacement,
  }));
}
