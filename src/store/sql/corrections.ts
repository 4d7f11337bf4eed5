import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter, RevisionedList } from '../reader.ts';
import type { SecurityKeyColumn } from '../selection.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import type { QuerySteps, SqlStatement } from './query-steps.ts';
import { queryRows } from './query-steps.ts';
import { getKeyColumns, keysEqualSql } from './revision-changes.ts';
import type { SqlCondition } from './select-records.ts';
import { afterPositionCondition, formatOrder } from './select-records.ts';

/**
 * Records that were corrected or retired, newest revision first, then by key. What a revision
 * ended never changes afterwards: parts of the list that are asked for one by one fit together.
 */
export function* findCorrections(
  dataset: Dataset,
  which: CorrectionFilter,
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<Correction>> {
  const newest = yield* findNewestRevision();
  const revision = Math.min(asOf ?? newest, newest);
  const below = Math.min(which.before ?? revision + 1, revision + 1);
  const table = getStorageTable(dataset);
  const find = function* (keyColumn: SecurityKeyColumn): QuerySteps<readonly CorrectedRow[]> {
    const { sql, values } = correctedRowsStatement(table, which, below, keyColumn, dialect);
    return yield* queryRows<CorrectedRow>(sql, values);
  };
  let found = yield* find('symbol_key');
  if (found.length === 0 && which.security !== undefined) {
    const quoted = yield symbolEverExistedStatement(table, which.security, below);
    if (quoted.length === 0) found = yield* find('isin_key');
  }
  return { revision, entries: yield* withPublishedAt(dataset, found) };
}

interface CorrectedRow {
  readonly revision: number;
  readonly old: string;
  readonly replacement: string | null;
}

/** Each record that ended before a revision, with what took its place at once, if anything did. */
function correctedRowsStatement(
  table: StorageTable,
  which: CorrectionFilter,
  below: number,
  keyColumn: SecurityKeyColumn,
  { isDistributed }: Dialect,
): SqlStatement {
  const { distributionColumn: _, ...alone } = table;
  const { currentTable, historyTable, key } = alone;
  const { after, limit } = which;
  // Of one security or fund there are few: its own index finds them, and the sum keeps planners
  // from walking through all revisions instead, in the hope of meeting enough of them soon.
  const until = which.security === undefined && which.fund === undefined ? 'until' : 'until + 0';
  const order: OrderedColumn[] = [{ column: until, isDescending: true }, ...key];
  const conditions: SqlCondition[] = [
    [`${until} < ?`, below],
    ...buildFilterConditions(which, keyColumn),
    ...(after ? [afterPositionCondition(order, [after.revision, ...after.key])] : []),
  ];
  const found = `FROM ${historyTable} AS old WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
    ORDER BY ${formatOrder(order)} LIMIT cast(? AS INTEGER)`;
  // Indexes alone tell which records are wanted, so that only those are looked at. In a cluster
  // records are looked up where they are kept, which those indexes do not tell.
  const keyed = isDistributed ? table : alone;
  const version = (of: string, since: string) =>
    `(SELECT own.record FROM ${of} AS own WHERE ${keysEqualSql(keyed, 'own', 'old')} AND own.since = old.${since})`;
  const keys = [...getKeyColumns(keyed), 'since', 'until'].join(', ');
  return {
    sql: `SELECT old.until AS revision, ${isDistributed ? 'old.record' : version(historyTable, 'since')} AS old,
      coalesce(${version(currentTable, 'until')}, ${version(historyTable, 'until')}) AS replacement
      ${isDistributed ? found : `FROM (SELECT ${keys} ${found}) AS old`}`,
    values: [...conditions.flatMap(([, ...values]) => values), limit],
  };
}

function buildFilterConditions(
  { security, fund, from, to }: CorrectionFilter,
  keyColumn: SecurityKeyColumn,
) {
  const conditions: SqlCondition[] = [];
  if (security !== undefined) conditions.push([`${keyColumn} = ?`, foldAsciiCase(security)]);
  if (fund !== undefined) conditions.push(['fund_key = ?', foldAsciiCase(fund)]);
  if (from !== undefined) conditions.push(['date >= ?', from]);
  if (to !== undefined) conditions.push(['date <= ?', to]);
  return conditions;
}

/**
 * Whether a symbol had any record before a revision, standing or not. So whoever goes on from a
 * correction of one, with an earlier revision, goes on by the same column.
 */
function symbolEverExistedStatement(
  { currentTable, historyTable }: StorageTable,
  security: string,
  below: number,
): SqlStatement {
  const from = (half: string) => `SELECT 1 FROM ${half} WHERE symbol_key = ? AND since < ?`;
  const values = [foldAsciiCase(security), below];
  return {
    sql: `${from(currentTable)} UNION ALL ${from(historyTable)} LIMIT 1`,
    values: [...values, ...values],
  };
}

/** The corrections, each with when it was published. */
function* withPublishedAt(
  { name }: Dataset,
  found: readonly CorrectedRow[],
): QuerySteps<Correction[]> {
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return [];
  const ledger = yield* queryRows<{ revision: number; instant: string }>(
    `SELECT revision, published_at AS instant FROM revisions
      WHERE dataset = ? AND revision BETWEEN ? AND ?`,
    [name, last.revision, first.revision],
  );
  const instants = new Map(ledger.map(({ revision, instant }) => [revision, instant]));
  return found.map(({ revision, old, replacement }) => ({
    revision,
    publishedAt: instants.get(revision) ?? '',
    change: replacement === null ? 'retired' : 'corrected',
    old,
    new: replacement,
  }));
}
