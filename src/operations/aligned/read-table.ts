import type { RecordKey } from '../../store/open-store.ts';
import type { PointRange, SeriesSource } from '../../transforms/observation-source.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Point } from '../../transforms/point-groups.ts';
import { type TransformedRecord, transformSeries } from '../../transforms/transform-series.ts';
import { createColumnSource, getSeriesKey, isAsPublished } from './column-source.ts';
import type { Following, PlannedColumn, PlannedTable, TableContext } from './plan-table.ts';

/** The rows of a table as JSON. */
interface AlignedRows {
  readonly texts: readonly string[];
  readonly nextPosition?: readonly [ordinal: number];
  /** What a column names that no record has. */
  readonly unknown?: string;
}

/**
 * The rows of a table whose columns are figures of several datasets, all of the revision of a view. Throws an AbandonedError after an abort.
 */
export async function readAlignedTable(
  table: PlannedTable,
  context: TableContext,
): Promise<AlignedRows> {
  const groups = [...Map.groupBy(table.columns, (column) => getSeriesKey(column, table)).values()];
  const series = await Promise.all(groups.map((group) => readSeries(group, table, context)));
  const unknown = series.find((each) => each.unknown !== undefined)?.unknown;
  return unknown === undefined ? joinSeries(table, series) : { texts: [], unknown };
}

/** Columns that are read together, and their records in the order of the table. */
interface Series {
  readonly columns: readonly PlannedColumn[];
  readonly records: readonly SeriesRecord[];
  readonly hasMore: boolean;
  readonly unknown: string | undefined;
}

type SeriesRecord = Pick<TransformedRecord, 'ordinal' | 'label' | 'values' | 'status'> &
  Partial<Pick<TransformedRecord, 'counts'>>;

async function readSeries(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  context: TableContext,
): Promise<Series> {
  const { kind, from, to, limit, isOldestFirst, minShare, includesPartial } = table;
  const source = createColumnSource(columns, table, context);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const nesting = nestPeriods(source.kind, kind);
  if (!nesting) throw new TypeError('the columns of a table have been checked');
  const units = [...new Set(columns.map((column) => column.units))];
  const getMeasure = (index: number) => columns[index] as PlannedColumn;
  const page = { limit, isOldestFirst, ...range };
  const { records, hasMore } = columns.every((column) => isAsPublished(column, kind))
    ? await readPoints(source, page)
    : await transformSeries(source, {
        nesting,
        getMeasure,
        units,
        page,
        minShare,
        includesPartial,
      });
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
  { columns, kind, limit, following, isOldestFirst }: PlannedTable,
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
    const names = column.names.map((name) => JSON.stringify(name));
    return { series: index, measure: series[index]?.columns.indexOf(column) ?? 0, names };
  });
  const ordinals = [...rows.keys()].sort((a, b) => (isOldestFirst ? a - b : b - a));
  const texts = ordinals.slice(0, limit).map((ordinal) => {
    const { label = kind.formatLabel(ordinal), records = [] } = rows.get(ordinal) ?? {};
    let text = `{"period":"${label}"`;
    for (const { series: index, measure, names } of cells) {
      const record = records[index];
      const figure = record?.values[measure] ?? null;
      // Figures are finite: as texts they are those of JSON.
      text += `,${names[0]}:${figure}`;
      for (const [place, each] of following.entries())
        text += `,${names[place + 1]}:${describeFigure(each, record, measure)}`;
    }
    return `${text}}`;
  });
  const hasMore = ordinals.length > limit || series.some((each) => each.hasMore);
  return { texts, ...(hasMore && { nextPosition: [ordinals[limit - 1] ?? 0] as const }) };
}

/** What follows a figure, as JSON. */
function describeFigure(
  following: Following,
  { status, counts, values }: Partial<SeriesRecord> = {},
  measure: number,
): string {
  if (following === 'status') return JSON.stringify(status ?? null);
  const isKnown = (values?.[measure] ?? null) !== null;
  return String(counts ? (counts[measure] ?? 0) : Number(isKnown));
}
