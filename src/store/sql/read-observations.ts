import { getKeyValues, getStorageTable, type OrderedColumn } from '../../schema/storage-table.ts';
import { MAX_SEARCHED_SERIES, type ObservationSelection, type ReadResult } from '../reader.ts';
import type { Dialect } from './dialect.ts';
import { type QuerySteps, queryCount, type SqlStatement } from './query-steps.ts';
import {
  aggregateRecords,
  dropLastRecord,
  type LocatedRecords,
  selectRecords,
  selectRecordsOfAny,
  toReadResult,
} from './select-records.ts';
import {
  afterPositionCondition,
  afterRowCondition,
  buildSql,
  isOneOf,
  type SqlCondition,
} from './sql-fragments.ts';

interface ReadOptions {
  readonly dialect: Dialect;
  readonly asOf: LocatedRecords | undefined;
}

/** The records of a series, or of several that dimension values tell apart, up to a limit. */
export function* readObservations(
  selection: ObservationSelection,
  { dialect, asOf }: ReadOptions,
): QuerySteps<ReadResult> {
  const { limit, asNdjson, includesStatus, includeTotal } = selection;
  // One record above the limit shows whether there are more.
  const records = buildRecordsStatement(selection, ['record', 'status'], limit + 1, {
    dialect,
    asOf,
  });
  const text = includesStatus ? WITH_STATUS : 'record';
  const statement = aggregateRecords(records, asNdjson ? '\n' : ',', asOf, text);
  const result = withLastKey(toReadResult(yield statement), selection);
  if (!includeTotal) return result;
  const { after: _, ...all } = selection;
  const matches = buildRecordsStatement(all, ['1'], undefined, { dialect, asOf });
  const count = buildSql`SELECT count(*) AS count FROM (${matches}) AS matches`;
  return { ...result, total: yield* queryCount(count) };
}

const WITH_STATUS = `substr(record, 1, length(record) - 1) || ',"status":"' || status || '"}'`;

function buildRecordsStatement(
  selection: ObservationSelection,
  columns: readonly string[],
  limit: number | undefined,
  { dialect, asOf }: ReadOptions,
): SqlStatement {
  const table = getStorageTable(selection.dataset);
  const order = getObservationOrder(selection);
  const options = { asOf, ...(limit !== undefined && { order, limit }) };
  const sets = buildObservationConditions(selection, asOf?.isDistributed);
  const [only = []] = sets;
  return sets.length === 1
    ? selectRecords(table, columns, only, options)
    : selectRecordsOfAny(table, columns, sets, { ...options, hints: dialect });
}

/** Sets of conditions, of which selected records meet one; each finds them by an index. */
export function buildObservationConditions(
  selection: ObservationSelection,
  isDistributed = false,
): readonly (readonly SqlCondition[])[] {
  const table = getStorageTable(selection.dataset);
  const conditions = buildPeriodConditions(selection);
  const names = table.key.slice(1).map(({ column }) => column);
  const series = listSeries(selection);
  if (series && isDistributed) {
    const keys = series.map((values) => table.getDistributionValue?.([0, ...values]) ?? '');
    conditions.push(isOneOf(table.distributionColumn ?? '', keys));
  }
  if (!series || isDistributed) {
    for (const [index, values] of selection.dimensions?.entries() ?? [])
      if (values) conditions.push(isOneOf(names[index] ?? '', values));
    return [conditions];
  }
  const unused = table.unusedKey?.map(({ name }): SqlCondition => [`${name} = ''`]) ?? [];
  return series.map((values) => [
    ...names.map((name, index): SqlCondition => [`${name} = ?`, values[index] ?? '']),
    ...unused,
    ...conditions,
  ]);
}

/** The dimension values of each selected series, if all dimensions are given and they are few. */
function listSeries({ dataset, dimensions = [] }: ObservationSelection) {
  const count = dataset.declaration?.dimensions?.length ?? 0;
  let series: (readonly string[])[] = [[]];
  for (let index = 0; index < count; index++) {
    const values = dimensions[index] && [...new Set(dimensions[index])];
    if (!values || series.length * values.length > MAX_SEARCHED_SERIES) return undefined;
    series = series.flatMap((others) => values.map((value) => [...others, value]));
  }
  return count === 0 ? undefined : series;
}

function buildPeriodConditions(selection: ObservationSelection): SqlCondition[] {
  const { from, to, after, isBySeries } = selection;
  const conditions: SqlCondition[] = [];
  if (from !== undefined) conditions.push(['place >= ?', from]);
  if (to !== undefined) conditions.push(['place <= ?', to]);
  const followsPosition = isBySeries ? afterRowCondition : afterPositionCondition;
  if (after) conditions.push(followsPosition(getObservationOrder(selection), after));
  return conditions;
}

/** Newest period first, or oldest, then by dimension values; or as the index by series has them. */
export function getObservationOrder({
  dataset,
  isOldestFirst,
  isBySeries,
}: ObservationSelection): readonly OrderedColumn[] {
  const { key, unusedKey = [] } = getStorageTable(dataset);
  const columns = key.map(({ column }) => ({ column }));
  if (isBySeries)
    return [
      ...columns.slice(1),
      ...unusedKey.map(({ name }) => ({ column: name })),
      ...columns.slice(0, 1),
    ];
  return isOldestFirst ? columns : key;
}

/** A result without the record above the limit, and with the key of the one before it. */
function withLastKey(found: ReadResult, selection: ObservationSelection): ReadResult {
  if (found.count <= selection.limit) return found;
  const { result, last } = dropLastRecord(found, selection);
  const table = getStorageTable(selection.dataset);
  const key = getKeyValues(table, JSON.parse(last));
  if (!selection.isBySeries) return { ...result, lastKey: key };
  const unused = table.unusedKey?.map(({ value }) => value) ?? [];
  return { ...result, lastKey: [...key.slice(1), ...unused, ...key.slice(0, 1)] };
}
