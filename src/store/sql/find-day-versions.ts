import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { DayVersion, DayVersionsFilter } from '../reader.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import { buildSql, joinSql, type SqlCondition, selectWhere } from './sql-fragments.ts';

/**
 * The days whose records changed after one revision and up to another, with the last revision that
 * changed each. In a range of days they are found by day, else by revision.
 */
export function* findDayVersions(
  dataset: Dataset,
  { since, until, days }: DayVersionsFilter,
): QuerySteps<readonly DayVersion[]> {
  const { currentTable, historyTable } = getStorageTable(dataset);
  const select = (table: string, column: 'since' | 'until') => {
    const conditions: SqlCondition[] = days
      ? [
          ['date >= ? AND date <= ?', ...days],
          [`${column} + 0 > ? AND ${column} + 0 <= ?`, since, until],
        ]
      : [[`${column} > ? AND ${column} <= ?`, since, until]];
    return selectWhere(['date', `${column} AS revision`], table, conditions);
  };
  const changes = [
    select(currentTable, 'since'),
    select(historyTable, 'since'),
    select(historyTable, 'until'),
  ];
  const last = buildSql`SELECT date, max(revision) AS revision
    FROM (${joinSql(changes, ' UNION ALL ')}) AS changes GROUP BY date`;
  return yield* queryRows<DayVersion>(buildSql`SELECT date, revision, published_at AS "publishedAt"
    FROM (${last}) AS days JOIN revisions USING (revision)`);
}
