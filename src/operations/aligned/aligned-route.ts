import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { findFirstValue } from '../../http/request/parse-query.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import type { RecordKey } from '../../store/open-store.ts';
import type { PointRange, SeriesSource } from '../../transforms/observation-source.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Point } from '../../transforms/point-groups.ts';
import { type TransformedRecord, transformSeries } from '../../transforms/transform-series.ts';
import { curveOperation } from '../curve/curve-operation.ts';
import { createOperationRoute, type OperationPage } from '../operation-route.ts';
import { parseRange } from '../plan-transform.ts';
import { CURVE_COST, computeRequestCost, MIN_COMPUTED_COST } from '../request-cost.ts';
import { type AlignedColumn, columnsParameter, findNamedSources } from './aligned-columns.ts';
import { alignedOperation } from './aligned-operation.ts';
import { createColumnSource, getSeriesKey, isAsPublished } from './column-source.ts';
import {
  describeRows,
  findTableKind,
  getStatusName,
  type PlannedColumn,
  type PlannedTable,
  parseTablePeriod,
  planColumns,
  type TableContext,
} from './plan-table.ts';

interface AlignedQuery extends PageQuery {
  readonly table: PlannedTable;
}

/** Columns that take about as long as a record. */
const COLUMNS_PER_RECORD = 5;

/** The route that puts figures of several datasets into one table. */
export function createAlignedRoute({ datasets }: Catalogue): PageRoute<AlignedQuery> {
  return createOperationRoute(alignedOperation(datasets), {
    findScope: ({ parameters: sent }) =>
      findNamedSources(findFirstValue(sent, 'columns') ?? '', datasets).map(({ scope }) => scope),
    parse({ filters, position, ...page }) {
      const table = planTable(datasets, filters, position);
      if (table instanceof HttpError) return table;
      const named = new Set(table.columns.flatMap(({ source }) => source.datasets));
      return { ...page, source: describeRows(table), datasets: [...named], table };
    },
    cost({ table: { columns, limit }, format }, page) {
      const rows = page?.count ?? limit;
      const records = Math.ceil((rows * columns.length) / COLUMNS_PER_RECORD);
      const curves = columns.some(isOfCurve) ? rows * CURVE_COST : 0;
      return Math.max(
        page ? 1 : MIN_COMPUTED_COST,
        curves + computeRequestCost({ records, format }),
      );
    },
    async read(query, { view, reader, client: { signal } }) {
      const { unknown, ...rows } = await readAlignedTable(query.table, { reader, view, signal });
      return unknown === undefined
        ? toPageRecords(query, { ...rows, revision: view.revision })
        : unfitColumns(unknown);
    },
  });
}

type AlignedValues = ParameterValues<ReturnType<typeof alignedOperation>['parameters']>;

/** The table of a request: its columns fit each other, and its periods fit the columns. */
function planTable(
  datasets: readonly Dataset[],
  filters: AlignedValues,
  position: OperationPage['position'],
): PlannedTable | HttpError {
  const { columns: requested, frequency, year_start: yearStart, limit = DEFAULT_LIMIT } = filters;
  if (!requested) return MISSING_COLUMNS_ERROR;
  const columns = planColumns(requested, datasets);
  const kind = findTableKind(columns, { frequency, yearStart });
  if (typeof kind === 'string') return unfitColumns(kind);
  if (yearStart !== undefined && !kind.hasYearStart) return new HttpError('year_start_of_nothing');
  const allowed = `${kind.requirement}, a finer period, or a day in it as YYYY-MM-DD`;
  const range = parseRange(filters, (text) => parseTablePeriod(kind, text), allowed);
  if (range instanceof HttpError) return range;
  const to = position ? Number(position[0]) - 1 : range.to;
  return { columns, kind, from: range.from, to, limit, includesStatus: filters.status === 'true' };
}

const isOfCurve = ({ dataset }: AlignedColumn) => dataset === curveOperation.name;

const unfitColumns = (problem: string) => new HttpError('unfit_columns', { problem });

const MISSING_COLUMNS_ERROR = new HttpError('missing_parameter', {
  parameter: 'columns',
  allowed: columnsParameter([]).requirement,
});

/** The rows of a table as JSON. */
interface AlignedRows {
  readonly texts: readonly string[];
  readonly nextPosition?: readonly [ordinal: number];
  /** What a column names that no record has. */
  readonly unknown?: string;
}

/**
 * The rows of a table whose columns are figures of several datasets, newest first, all of the
 * revision of a view. Throws an AbandonedError after an abort.
 */
export async function readAlignedTable(
  table: PlannedTable,
  context: TableContext,
): Promise<AlignedRows> {
  const { columns, kind } = table;
  const groups = [...Map.groupBy(columns, (column) => getSeriesKey(column, kind)).values()];
  const series = await Promise.all(groups.map((group) => readSeries(group, table, context)));
  const unknown = series.find((each) => each.unknown !== undefined)?.unknown;
  return unknown === undefined ? joinSeries(table, series) : { texts: [], unknown };
}

/** Columns that are read together, and their records, newest first. */
interface Series {
  readonly columns: readonly PlannedColumn[];
  readonly records: readonly SeriesRecord[];
  readonly hasMore: boolean;
  readonly unknown: string | undefined;
}

type SeriesRecord = Pick<TransformedRecord, 'ordinal' | 'label' | 'values' | 'status'>;

async function readSeries(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  context: TableContext,
): Promise<Series> {
  const { kind, from, to, limit } = table;
  const source = createColumnSource(columns, table, context);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const nesting = nestPeriods(source.kind, kind);
  if (!nesting) throw new TypeError('the columns of a table have been checked');
  const units = [...new Set(columns.map((column) => column.units))];
  const getMeasure = (index: number) => columns[index] as PlannedColumn;
  const page = { limit, ...range };
  const { records, hasMore } = columns.every((column) => isAsPublished(column, kind))
    ? await readPoints(source, page)
    : await transformSeries(source, { nesting, getMeasure, units, page });
  return { columns, records, hasMore, unknown: await findUnknown(source, columns, records) };
}

/** The points of a page, if nothing is computed from them. */
async function readPoints(source: SeriesSource, { limit, ...range }: PointRange) {
  const points: Point[] = [];
  let after: RecordKey | undefined;
  do {
    const page = await source.read({ ...range, limit: limit + 1, ...(after && { after }) });
    points.push(...page.points);
    after = page.next;
  } while (after && points.length <= limit);
  return { records: points.slice(0, limit), hasMore: points.length > limit };
}

/** Enough to tell whether any record has what a column names. */
const MAX_CHECKED_POINTS = 10_000;

/** The value, or member of a list, that a column names and no record has, in whatever period. */
async function findUnknown(
  source: SeriesSource,
  columns: readonly PlannedColumn[],
  records: readonly SeriesRecord[],
): Promise<string | undefined> {
  const isMissing = (list: readonly SeriesRecord[]) => (index: number) =>
    list.every(({ values }) => values[index] === undefined);
  const missing = [...columns.keys()].filter(isMissing(records));
  if (missing.length === 0) return undefined;
  const { points } = await source.read({ limit: MAX_CHECKED_POINTS });
  const { name, dataset, measure, dimensions } =
    columns[missing.find(isMissing(points)) ?? -1] ?? {};
  const unknown = points.length > 0 ? measure : dimensions?.join(', ');
  // A dataset without dimensions may be empty.
  return unknown ? `"${name}": no record of ${dataset} has ${unknown}` : undefined;
}

/** Rows of all periods in which any series has a record. */
function joinSeries(
  { columns, kind, limit, includesStatus }: PlannedTable,
  series: readonly Series[],
): AlignedRows {
  const rows = new Map<number, { label?: string; records: SeriesRecord[] }>();
  for (const [index, { records, columns: own }] of series.entries()) {
    // Labels of years and quarters are as published.
    const isOwn = own[0]?.source.kind.unit === kind.unit;
    for (const record of records) {
      const { ordinal, label } = record;
      const row = rows.get(ordinal) ?? { records: [] };
      if (row.records.length === 0) rows.set(ordinal, row);
      if (isOwn) row.label ??= label;
      row.records[index] = record;
    }
  }
  const cells = columns.map((column) => {
    const index = series.findIndex((each) => each.columns.includes(column));
    const names = [column.name, getStatusName(column)].map((name) => JSON.stringify(name));
    return { series: index, measure: series[index]?.columns.indexOf(column) ?? 0, names };
  });
  const ordinals = [...rows.keys()].sort((a, b) => b - a);
  const texts = ordinals.slice(0, limit).map((ordinal) => {
    const { label = kind.formatLabel(ordinal), records = [] } = rows.get(ordinal) ?? {};
    let text = `{"period":"${label}"`;
    for (const { series: index, measure, names } of cells) {
      const { values, status } = records[index] ?? {};
      // Figures are finite: as texts they are those of JSON.
      text += `,${names[0]}:${values?.[measure] ?? null}`;
      if (includesStatus) text += `,${names[1]}:${JSON.stringify(status ?? null)}`;
    }
    return `${text}}`;
  });
  const hasMore = ordinals.length > limit || series.some((each) => each.hasMore);
  return { texts, ...(hasMore && { nextPosition: [ordinals[limit - 1] ?? 0] as const }) };
}
