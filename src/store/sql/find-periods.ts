import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import type { PeriodRange } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import { type AsOfCache, type ResolvedAsOf, resolveAsOf } from './resolve-as-of.ts';
import { selectRecords } from './select-records.ts';
import { bind, buildSql, type SqlCondition } from './sql-fragments.ts';

/** The ordinals of the periods, or numbers of the days, that have any record; newest first. */
export function* findPeriods(
  dataset: Dataset,
  { from, to, limit = Number.MAX_SAFE_INTEGER }: PeriodRange,
  revision: number | undefined,
  { dialect, cache }: { dialect: Dialect; cache?: AsOfCache | undefined },
): QuerySteps<readonly number[]> {
  const asOf = yield* resolveAsOf(dataset, revision, dialect, cache);
  if (asOf === 'nothing') return [];
  const table = getStorageTable(dataset);
  const [{ column } = { column: '' }] = table.key;
  const hasDays = dataset.shape === 'quotes';
  const toStored = (ordinal: number) => (hasDays ? formatDay(ordinal) : ordinal);
  const isFrom: SqlCondition[] = from === undefined ? [] : [[`${column} >= ?`, toStored(from)]];
  const isTo: SqlCondition[] = to === undefined ? [] : [[`${column} <= ?`, toStored(to)]];
  const search = { table, column, asOf };
  const statement = asOf?.isDistributed
    ? selectNewest(search, [...isFrom, ...isTo], limit, 'DISTINCT ')
    : buildSql`WITH RECURSIVE periods(period) AS (
      SELECT (${selectNewest(search, [...isFrom, ...isTo], 1)})
      UNION ALL SELECT (${selectNewest(search, [...isFrom, [`${column} < period`]], 1)})
      FROM periods WHERE period IS NOT NULL)
    SELECT period AS ${column} FROM periods WHERE period IS NOT NULL LIMIT ${bind(limit)}`;
  const rows = yield* queryRows<Readonly<Record<string, string | number>>>(statement);
  return rows.map(({ [column]: stored }) =>
    typeof stored === 'string' && hasDays ? parseDay(stored) : Number(stored),
  );
}

interface Search {
  readonly table: StorageTable;
  readonly column: string;
  readonly asOf: ResolvedAsOf | undefined;
}

/** One search of an index for each period: most have many records. */
function selectNewest(
  { table, column, asOf }: Search,
  conditions: readonly SqlCondition[],
  limit: number,
  distinct = '',
): SqlStatement {
  const order = [{ column, isDescending: true as const }];
  return selectRecords(table, [`${distinct}${column}`], conditions, { asOf, order, limit });
}
