import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter, RevisionedList } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { findInstants, findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import {
  buildSecuritiesConditions,
  resolveSecurities,
  type SecurityKeys,
} from './resolve-securities.ts';
import { hasIdentifier } from './select-records.ts';
import {
  afterPositionCondition,
  anyCondition,
  buildSql,
  getKeyColumns,
  isSameRecordSql,
  orderAndLimit,
  ownDistributedRows,
  ownRows,
  type SqlCondition,
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
  const { securities, ...others } = filter;
  const securityKeys =
    securities && (yield* resolveSecurities(dataset, securities, { before }, dialect));
  const resolved = { ...others, before, ...(securityKeys && { securityKeys }) };
  const rows = yield* findCorrectedRows(table, resolved, dialect);
  return { revision, entries: yield* withPublishedAt(rows) };
}

interface CorrectedRow {
  readonly revision: number;
  readonly old: string;
  readonly replacement: string | null;
}

interface ResolvedFilter extends Omit<CorrectionFilter, 'securities'> {
  readonly before: number;
  /** Only corrections by this revision. */
  readonly revision?: number;
  readonly securityKeys?: SecurityKeys;
}

/** Superseded records, each with the record that replaced it at once, if any did. */
export function* findCorrectedRows(
  table: StorageTable,
  filter: ResolvedFilter,
  dialect: Dialect,
): QuerySteps<readonly CorrectedRow[]> {
  const { isDistributed } = dialect;
  const { distributionColumn: _, ...undistributed } = table;
  const { currentTable, historyTable, key } = table;
  const { revision, before, securityKeys, identifiers, after, limit } = filter;
  // Some securities or funds have few corrections: their own index finds them, and the sum keeps planners
  // from scanning all revisions instead, in the hope of finding enough of them soon.
  const until = securityKeys === undefined && identifiers === undefined ? 'until' : 'until + 0';
  const isOfOne = revision !== undefined;
  const order = isOfOne ? key : [{ column: until, isDescending: true } as const, ...key];
  const position = after && (isOfOne ? after.key : [after.revision, ...after.key]);
  const conditions: SqlCondition[] = [
    ...(isDistributed ? ownDistributedRows : ownRows)(table),
    isOfOne ? ['until = ?', revision] : [`${until} < ?`, before],
    ...buildFilterConditions(table, filter, dialect),
    ...(position ? [afterPositionCondition(order, position)] : []),
  ];
  const matches = buildSql`FROM ${historyTable} AS old${whereClause(conditions)}${orderAndLimit(order, limit)}`;
  // Indexes alone find the keys, so that only records within the limit are read. In a cluster a
  // record is found by its distribution column, which those indexes do not have.
  const keyed = isDistributed ? table : undistributed;
  const version = (from: string, since: string) =>
    `(SELECT own.record FROM ${from} AS own WHERE ${isSameRecordSql(keyed, 'own', 'old', { isDistributed })} AND own.since = old.${since})`;
  const keys = [...getKeyColumns(keyed), 'since', 'until'].join(', ');
  const old = isDistributed ? 'old.record' : version(historyTable, 'since');
  const from = isDistributed ? matches : buildSql`FROM (SELECT ${keys} ${matches}) AS old`;
  return yield* queryRows<CorrectedRow>(buildSql`SELECT old.until AS revision, ${old} AS old,
    coalesce(${version(currentTable, 'until')}, ${version(historyTable, 'until')}) AS replacement ${from}`);
}

function buildFilterConditions(
  table: StorageTable,
  { securityKeys, identifiers, from, to }: ResolvedFilter,
  dialect: Dialect,
): SqlCondition[] {
  const conditions: SqlCondition[] = [];
  if (securityKeys) conditions.push(anyCondition(buildSecuritiesConditions(securityKeys, dialect)));
  if (identifiers) conditions.push(hasIdentifier(table, identifiers));
  if (from !== undefined) conditions.push(['date >= ?', from]);
  if (to !== undefined) conditions.push(['date <= ?', to]);
  return conditions;
}

function* withPublishedAt(rows: readonly CorrectedRow[]): QuerySteps<Correction[]> {
  const instants = yield* findInstants(rows.map(({ revision }) => revision));
  return rows.map(({ revision, old, replacement }) => ({
    revision,
    publishedAt: instants.get(revision) ?? '',
    change: replacement === null ? 'retired' : 'corrected',
    old,
    new: replacement,
  }));
}
