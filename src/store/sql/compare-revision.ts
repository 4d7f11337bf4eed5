import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import type { ChangeCounts } from '../ledger.ts';
import type { NeighbourRow } from '../publisher.ts';
import type { MissingSeries } from '../reader.ts';
import { countRecords } from './ledger.ts';
import { type QuerySteps, queryRows, type SqlRows } from './query-steps.ts';
import type { QuerySession } from './session.ts';
import {
  andAll,
  andOwnRows,
  columnsEqualSql,
  figureConditions,
  getKeyColumns,
  isSameRecordSql,
  ownRows,
} from './sql-fragments.ts';

type SeriesSession = Pick<QuerySession, 'dialect' | 'run' | 'stream'>;

/**
 * The records of a series that a revision changed, each with its neighbours; if these are many, all
 * records in the order of their series, oldest first, which takes one pass of an index.
 */
export async function* streamNeighbours(
  session: SeriesSession,
  dataset: Dataset,
  revision: number,
  { added, corrected }: ChangeCounts,
): AsyncGenerator<readonly NeighbourRow[]> {
  const table = getStorageTable(dataset);
  const { currentTable } = table;
  const series = getSeriesColumns(table);
  // That of the index by series.
  const order = [...series.filter((name) => name !== table.distributionColumn), 'place'].join(', ');
  const before = await session.run(() => countRecords(dataset.name, revision - 1));
  if ((added + corrected) * MAX_SEARCHED_SHARE > before) {
    const sql = `SELECT place, since, record FROM ${currentTable} AS own WHERE TRUE${andOwnRows(table, 'own')} ORDER BY ${order}`;
    yield* session.stream({ sql }) as AsyncGenerator<readonly NeighbourRow[]>;
    return;
  }
  // The index by series has no distribution column: a condition on it leads planners to the key.
  const compared = session.dialect.isDistributed
    ? series
    : series.filter((name) => name !== table.distributionColumn);
  const findNeighbour = (text: string, comparison: string) =>
    `(SELECT ${text} FROM ${currentTable} AS other WHERE ${columnsEqualSql(compared, 'other', 'own')}${andOwnRows(table, 'other')} AND other.place ${comparison} LIMIT 1)`;
  const previous = findNeighbour('other.record', '< own.place ORDER BY other.place DESC');
  // A next record that is changed as well comes by itself.
  const next = findNeighbour(
    `CASE WHEN other.since = ${revision} THEN NULL ELSE other.record END`,
    '> own.place ORDER BY other.place',
  );
  const sql = `SELECT since, record, ${previous} AS previous, ${next} AS next FROM ${currentTable} AS own WHERE ${isOfRevisionSql('own.since', revision)}${andOwnRows(table, 'own')}`;
  yield* session.stream({ sql }) as AsyncGenerator<readonly NeighbourRow[]>;
}

/** Reading all records costs less than searching for the neighbours of a quarter of them. */
const MAX_SEARCHED_SHARE = 4;

/** The records whose figures a revision corrected. */
export function streamCorrected(
  session: SeriesSession,
  dataset: Dataset,
  revision: number,
): AsyncIterable<SqlRows> {
  const table = getStorageTable(dataset);
  const { currentTable, historyTable } = table;
  const keys = getKeyColumns(table).map((column) => `old.${column}`);
  // Each is found by its key: planners would join by the indexes by revision, which find all for each,
  // if they know nothing of the rows that the transaction has written. So does the sum below.
  const replacement = `SELECT now.record FROM ${currentTable} AS now WHERE ${isSameRecordSql(table, 'now', 'old')} AND now.since = ${revision}`;
  const sql = `SELECT place, old, new,
      EXISTS (SELECT 1 FROM ${historyTable} AS earlier WHERE ${isSameRecordSql(table, 'earlier', 'corrected')} AND earlier.until + 0 < ${revision} AND earlier.record = new) AS "isReverted"
    FROM (SELECT ${keys.join(', ')}, old.record AS old, (${replacement}) AS new FROM ${historyTable} AS old
      WHERE ${isOfRevisionSql('old.until', revision)}${andOwnRows(table, 'old')}) AS corrected
    WHERE ${figuresSql(dataset, 'new')} <> ${figuresSql(dataset, 'old')}`;
  return session.stream({ sql });
}

/** That a revision began or ended a row: as a range, for which SQLite takes the index by revision. */
function isOfRevisionSql(column: string, revision: number): string {
  return `${column} BETWEEN ${revision} AND ${revision}`;
}

/** How many records the periods between two places had before a revision, by place. */
export function* countByPeriod(
  dataset: Dataset,
  revision: number,
  [from, to]: readonly [number, number],
): QuerySteps<ReadonlyMap<number, number>> {
  const table = getStorageTable(dataset);
  const { currentTable, historyTable } = table;
  const select = (from: string, condition: string) =>
    `SELECT place FROM ${from} AS own WHERE own.${condition}${andOwnRows(table, 'own')} AND place BETWEEN ? AND ?`;
  const kept = select(currentTable, `since < ${revision}`);
  const superseded = select(historyTable, `until = ${revision}`);
  const rows = yield* queryRows<{ place: number; count: number | string }>({
    sql: `SELECT place, count(*) AS count FROM (${kept} UNION ALL ${superseded}) AS published GROUP BY place`,
    values: [from, to, from, to],
  });
  return new Map(rows.map(({ place, count }) => [Number(place), Number(count)]));
}

/** The series that have a figure at one place and none at another; all at the one, if there is no other. */
export function* findMissingSeries(
  dataset: Dataset,
  place: number | undefined,
  previousPlace: number,
): QuerySteps<MissingSeries> {
  const table = getStorageTable(dataset);
  const { currentTable } = table;
  const columns = getSeriesColumns(table);
  const hasFigure = place === undefined ? [] : figureConditions(dataset, 'own');
  const isOwn = andAll([...ownRows(table, 'own'), ...hasFigure]);
  const hasPlace = 'max(CASE WHEN own.place = ? THEN 1 ELSE 0 END)';
  // One look at both places: a cluster joins a distributed table with itself in few ways.
  const rows = yield* queryRows<Record<string, string | number>>({
    sql: `SELECT ${columns.join(', ')}, ${hasPlace} AS "isThere" FROM ${currentTable} AS own
      WHERE own.place IN (?, ?)${isOwn} GROUP BY ${columns.join(', ')} HAVING ${hasPlace} = 1 ORDER BY ${columns.join(', ')}`,
    values: [place ?? null, place ?? null, previousPlace, previousPlace],
  });
  const names = table.key.slice(1).map(({ column }) => column);
  const missing = rows
    .filter((row) => !row.isThere)
    .map((row) => names.map((name) => String(row[name])));
  return { expected: rows.length, missing };
}

/** The text of a record without its status, which is a letter at its end if a declaration says so. */
function figuresSql({ fields }: Dataset, column: string): string {
  return fields.status ? `substr(${column}, 1, length(${column}) - ${'A"}'.length})` : column;
}

/** The columns that records of one series have in common, in the order of the index by series. */
function getSeriesColumns({ key, unusedKey = [], distributionColumn }: StorageTable): string[] {
  return [
    ...key.slice(1).map(({ column }) => column),
    ...unusedKey.map(({ name }) => name),
    ...(distributionColumn === undefined ? [] : [distributionColumn]),
  ];
}
