import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { SeriesSource } from '../../transforms/read-groups.ts';
import { type TransformedRecord, transformSeries } from '../../transforms/transform-series.ts';
import type { CurveReader, Figures } from '../curve-reader.ts';
import { createColumnSource, getSeriesKey } from './column-source.ts';
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
    const groups = [...Map.groupBy(columns, getSeriesKey).values()];
    const series = await Promise.all(groups.map((group) => readSeries(group, context)));
    const source = describeRows(columns, selection);
    const unknown = series.find((each) => each.unknown !== undefined)?.unknown;
    if (unknown !== undefined) return { source, revision, texts: [], unknown };
    return { source, revision, ...joinSeries(columns, series, context) };
  }
}

/** The records of columns that are read together, newest first. */
interface Series {
  readonly columns: readonly PlannedColumn[];
  readonly records: readonly TransformedRecord[];
  readonly hasMore: boolean;
  readonly unknown: string | undefined;
}

async function readSeries(
  columns: readonly PlannedColumn[],
  context: TableContext,
): Promise<Series> {
  const { from, to, limit } = context.selection;
  const source = createColumnSource(columns, context);
  const nesting = nestPeriods(source.kind, context.kind);
  if (!nesting) throw new TypeError('the columns of a table have been checked');
  const page = await transformSeries(source, {
    nesting,
    getMeasure: (index) => columns[index] as PlannedColumn,
    units: [...new Set(columns.map(({ units }) => units))],
    page: { limit, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
  });
  return { columns, ...page, unknown: await findUnknown(source, columns, page.records) };
}

/** Enough to tell whether any record has what a column names. */
const MAX_CHECKED_POINTS = 10_000;

/** The value, or member of a list, that a column names and no record has, in whatever period. */
async function findUnknown(
  source: SeriesSource,
  columns: readonly PlannedColumn[],
  records: readonly TransformedRecord[],
): Promise<string | undefined> {
  const isMissing = (list: readonly Pick<TransformedRecord, 'values'>[]) => (index: number) =>
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
  const cells = columns.map((column) => {
    const { columns: others, records } = series.find((each) =>
      each.columns.includes(column),
    ) as Series;
    const byOrdinal = new Map(records.map((record) => [record.ordinal, record]));
    return {
      byOrdinal,
      index: others.indexOf(column),
      name: JSON.stringify(column.name),
      statusName: JSON.stringify(getStatusName(column)),
    };
  });
  const found = new Set(series.flatMap(({ records }) => records.map(({ ordinal }) => ordinal)));
  const ordinals = [...found].sort((a, b) => b - a);
  const texts = ordinals.slice(0, limit).map((ordinal) => {
    let text = `{"period":${JSON.stringify(kind.formatLabel(ordinal))}`;
    for (const { byOrdinal, index, name, statusName } of cells) {
      const { values, status = null } = byOrdinal.get(ordinal) ?? {};
      text += `,${name}:${JSON.stringify(values?.[index] ?? null)}`;
      if (includesStatus) text += `,${statusName}:${JSON.stringify(status)}`;
    }
    return `${text}}`;
  });
  const hasMore = ordinals.length > limit || series.some((each) => each.hasMore);
  return { texts, ...(hasMore && { nextPosition: [ordinals[limit - 1] ?? 0] as const }) };
}
