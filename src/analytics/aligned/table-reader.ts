import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { RecordKey, StoreReader } from '../../store/open-store.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Point } from '../../transforms/point-groups.ts';
import type { PointRange, SeriesSource } from '../../transforms/read-groups.ts';
import { type TransformedRecord, transformSeries } from '../../transforms/transform-series.ts';
import type { CurveReader, Figures } from '../curve-reader.ts';
import { createColumnSource, getSeriesKey, isAsPublished } from './column-source.ts';
import {
  type AlignedSelection,
  describeRows,
  findTableKind,
  getStatusName,
  type PlannedColumn,
  planColumns,
  type TableContext,
} from './plan-table.ts';

/** The rows of a table as JSON, and the operation with their schema. */
export interface AlignedTable extends Figures {
  readonly source: ReturnType<typeof describeRows>;
  readonly nextPosition?: readonly [ordinal: number];
  /** What a column names that no record has. */
  readonly unknown?: string;
}

/** Reads tables whose columns are figures of several datasets, all from one revision. */
export class AlignedTableReader {
  constructor(
    private readonly reader: StoreReader,
    private readonly curves: CurveReader,
  ) {}

  /** The rows of a table, newest first. Throws an AbandonedError after an abort. */
  async read(
    catalogue: Catalogue,
    selection: AlignedSelection,
    signal: AbortSignal,
  ): Promise<AlignedTable> {
    const columns = planColumns(selection.columns, catalogue.datasets);
    const kind = findTableKind(columns, selection);
    if (typeof kind === 'string') throw new TypeError(kind);
    const { reader, curves } = this;
    const revision = selection.asOf ?? (await reader.revision());
    const context = { reader, curves, catalogue, selection, kind, asOf: revision, signal };
    const groups = [...Map.groupBy(columns, (column) => getSeriesKey(column, kind)).values()];
    const series = await Promise.all(groups.map((group) => readSeries(group, context)));
    const source = describeRows(kind, columns, selection);
    const unknown = series.find((each) => each.unknown !== undefined)?.unknown;
    if (unknown !== undefined) return { source, revision, texts: [], unknown };
    return { source, revision, ...joinSeries(columns, series, context) };
  }
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
  context: TableContext,
): Promise<Series> {
  const { from, to, limit } = context.selection;
  const source = createColumnSource(columns, context);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const nesting = nestPeriods(source.kind, context.kind);
  if (!nesting) throw new TypeError('the columns of a table have been checked');
  const units = [...new Set(columns.map((column) => column.units))];
  const getMeasure = (index: number) => columns[index] as PlannedColumn;
  const page = { limit, ...range };
  const { records, hasMore } = columns.every((column) => isAsPublished(column, context.kind))
    ? await readPoints(source, page)
    : await transformSeries(source, { nesting, getMeasure, units, page });
  return { columns, records, hasMore, unknown: await findUnknown(source, columns, records) };
}

/** The points of a page, where nothing is computed from them. */
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
  columns: readonly PlannedColumn[],
  series: readonly Series[],
  { kind, selection: { limit, includesStatus } }: TableContext,
): Pick<AlignedTable, 'texts' | 'nextPosition'> {
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
