import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import type { DayVersion, DayVersionsFilter, PeriodRange } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import {
  type AsOfCache,
  type LocatedRecords,
  locateRecords,
  MAX_REVISION,
  selectRecords,
} from './select-records.ts';
import {
  bind,
  buildSql,
  figureConditions,
  isOneOf,
  joinSql,
  orderAndLimit,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';

/** The ordinals of the periods, or numbers of the days, that have any record; newest first. */
export function* findPeriods(
  dataset: Dataset,
  range: PeriodRange,
  revision: number | undefined,
  { dialect, cache }: { dialect: Dialect; cache?: AsOfCache | undefined },
): QuerySteps<readonly number[]> {
  const days = getSummaryTables(dataset)?.days.name;
  if (days !== undefined) {
    const rows = yield* queryRows<{ date: string }>(daysStatement(days, range, revision));
    return rows.map(({ date }) => parseDay(date));
  }
  const asOf = yield* locateRecords(dataset, revision, dialect, cache);
  if (asOf === 'nothing') return [];
  const rows = yield* queryRows<{ place: number }>(placesStatement(dataset, range, asOf));
  return rows.map(({ place }) => Number(place));
}

/** The values of each dimension of a series that any record has, in byte order. */
export function* findDimensionValues(
  dataset: Dataset,
  revision: number | undefined,
  { dialect, cache }: { dialect: Dialect; cache?: AsOfCache | undefined },
): QuerySteps<readonly (readonly string[])[]> {
  const table = getStorageTable(dataset);
  const asOf = yield* locateRecords(dataset, revision, dialect, cache);
  const found: string[][] = [];
  for (const { column } of table.key.slice(1)) {
    if (asOf === 'nothing') found.push([]);
    else {
      const all = selectRecords(table, [column], [], { asOf });
      const distinct = buildSql`SELECT DISTINCT ${column} AS value FROM (${all}) AS selected`;
      const rows = yield* queryRows<{ value: string }>(distinct);
      found.push(rows.map(({ value }) => value).sort(compareBytes));
    }
  }
  return found;
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A week or fiscal year that ends later has texts that sort before all others. */
const MAX_DAY = parseDay('9999-12-31');

/** The days of quotes, by the number of quotes that each has. */
function daysStatement(
  table: string,
  { from, to, types, limit }: PeriodRange,
  revision = MAX_REVISION,
): SqlStatement {
  const conditions: SqlCondition[] = [['revision <= ?', revision]];
  if (from !== undefined) conditions.push(['date >= ?', formatDay(from)]);
  if (to !== undefined) conditions.push(['date <= ?', formatDay(Math.min(to, MAX_DAY))]);
  if (types) conditions.push(isOneOf('type', types));
  return buildSql`${selectWhere(['date'], table, conditions)}
    GROUP BY date HAVING sum(difference) > 0${orderAndLimit([{ column: 'date', isDescending: true }], limit)}`;
}

/** The places of a series: one search of an index for each, because most have many records. */
function placesStatement(
  dataset: Dataset,
  { from, to, limit = Number.MAX_SAFE_INTEGER, hasFigure }: PeriodRange,
  asOf: LocatedRecords | undefined,
): SqlStatement {
  const table = getStorageTable(dataset);
  const isCounted = hasFigure ? figureConditions(dataset) : [];
  const isFrom: SqlCondition[] = from === undefined ? [] : [['place >= ?', from]];
  const isTo: SqlCondition[] = to === undefined ? [] : [['place <= ?', to]];
  const order = [{ column: 'place', isDescending: true as const }];
  const selectNewest = (column: string, conditions: readonly SqlCondition[], limit: number) =>
    selectRecords(table, [column], [...conditions, ...isCounted], { asOf, order, limit });
  if (asOf?.isDistributed) return selectNewest('DISTINCT place', [...isFrom, ...isTo], limit);
  return buildSql`WITH RECURSIVE periods(period) AS (
      SELECT (${selectNewest('place', [...isFrom, ...isTo], 1)})
      UNION ALL SELECT (${selectNewest('place', [...isFrom, ['place < period']], 1)})
      FROM periods WHERE period IS NOT NULL)
    SELECT period AS place FROM periods WHERE period IS NOT NULL LIMIT ${bind(limit)}`;
}

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
