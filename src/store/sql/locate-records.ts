import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import type { Dialect, UnionHints } from './dialect.ts';
import { type QuerySteps, queryRow, type SqlStatement } from './query-steps.ts';
import { andOwnRows, ownRows, selectWhere } from './sql-fragments.ts';

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
