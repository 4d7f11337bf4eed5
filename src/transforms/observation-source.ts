import type { Dataset } from '../catalogue/model/dataset.ts';
import type { KeyedValue } from '../catalogue/model/field.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import type { PeriodKind } from '../catalogue/model/period.ts';
import type { AggregateName } from '../catalogue/model/transform-parameters.ts';
import { AbandonedError } from '../shared/abandoned-error.ts';
import { type Awaitable, whenReady } from '../shared/awaitable.ts';
import type {
  ObservationSelection,
  PeriodRange,
  RecordKey,
  StoreReader,
} from '../store/open-store.ts';
import type { PeriodNesting } from './period-nesting.ts';
import {
  joinDimensions,
  type Point,
  type PointGroup,
  PointGrouping,
  toGroup,
} from './point-groups.ts';

/** The measures of a series: its fields, then the members of its list, as they are found. */
export interface MeasureNames {
  readonly fields: readonly string[];
  readonly list: string | undefined;
  /** The keys of the list so far. */
  readonly keys: string[];
}

/** The part of a selection that says which series of a dataset, and of which revision. */
export type SelectedSeries = Pick<
  ObservationSelection,
  'dataset' | 'dimensions' | 'includesStatus'
> & { readonly asOf: number };

/** The records of a series, or of several that dimension values tell apart, as figures. */
export function createObservationSource(
  reader: Pick<StoreReader, 'read' | 'periods'>,
  selected: SelectedSeries,
  toPoint: (text: string) => Point,
  signal: AbortSignal,
): SeriesSource {
  const { dataset, asOf } = selected;
  return {
    kind: getPeriod(dataset).kind,
    read(range) {
      if (signal.aborted) throw new AbandonedError();
      const page = { kind: 'observations', ...selected, ...range, asNdjson: true } as const;
      return whenReady(reader.read(page), ({ count, records, lastKey }) => ({
        points: count === 0 ? [] : records.split('\n').map(toPoint),
        next: lastKey,
      }));
    },
    findPeriods: (range) => reader.periods(dataset, range, asOf),
  };
}

/** Reads points from the texts of records, and adds the keys of their lists to those of the measures. */
export function createPointReader(dataset: Dataset, { fields, list, keys }: MeasureNames) {
  const { field, kind } = getPeriod(dataset);
  const dimensions = dataset.declaration?.dimensions ?? [];
  return (text: string): Point => {
    const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const label = String(record[field]);
    const values: Point['values'][number][] = fields.map(
      (name) => (record[name] ?? null) as number | null,
    );
    const listed = list === undefined ? [] : (record[list] as KeyedValue[]);
    const members = listed.map(({ key, value }) => {
      if (!keys.includes(key)) keys.push(key);
      const index = fields.length + keys.indexOf(key);
      values[index] = value;
      return index;
    });
    return {
      ordinal: kind.toOrdinal(label) ?? Number.NaN,
      label,
      dimensions: dimensions.map((each) => String(record[each.field])),
      values,
      members,
      status: record.status as string | undefined,
    };
  };
}

/** One series or several of a dataset, all from one revision. */
export interface SeriesSource {
  readonly kind: PeriodKind;
  /** Whether a period without a record is no gap: not every security is quoted each day. */
  readonly allowsGaps?: true;
  /** Its points in the order of periods, and the key of the last one if more may follow. */
  read(range: PointRange): Awaitable<{ points: readonly Point[]; next?: RecordKey | undefined }>;
  /** The periods in which the dataset has any record, whatever the series; newest first. */
  findPeriods(range: PeriodRange): Awaitable<readonly number[]>;
  /** The newest period with a record of what it is computed from, if that is another. */
  findNewest?(): Awaitable<readonly number[]>;
}

/** Periods, how many points at most, and the key of the one before the first. */
export type PointRange = Pick<
  ObservationSelection,
  'from' | 'to' | 'limit' | 'after' | 'isOldestFirst'
>;

/** The groups of a page and one more, and all groups of the periods that were read for them. */
export async function readGroupPage(
  source: SeriesSource,
  nesting: PeriodNesting,
  page: PointRange,
  getAggregate: (index: number) => AggregateName,
) {
  const { from, to, after, limit, isOldestFirst = false } = page;
  const [place, ...dimensions] = after ?? [];
  const begin = place === undefined ? undefined : Number(place);
  const range = isOldestFirst
    ? toOwnRange(nesting, begin ?? from, to)
    : toOwnRange(nesting, from, begin ?? to);
  const lastKey = Buffer.from(joinDimensions(dimensions));
  const isAfter = ({ ordinal, key }: PointGroup) =>
    ordinal !== begin || Buffer.compare(Buffer.from(key), lastKey) > 0;
  const all: PointGroup[] = [];
  const found: PointGroup[] = [];
  const points = { ...range, limit, isOldestFirst };
  for await (const groups of readGroups(source, nesting, points, getAggregate)) {
    all.push(...groups);
    found.push(...groups.filter(isAfter));
    if (found.length > limit) break;
  }
  return { all, groups: found.slice(0, limit + 1) };
}

/** The periods that make up some coarser ones. */
export function toOwnRange({ getFirst }: PeriodNesting, from?: number, to?: number): PeriodRange {
  return {
    ...(from !== undefined && { from: getFirst(from) }),
    ...(to !== undefined && { to: getFirst(to + 1) - 1 }),
  };
}

const MAX_CHUNK = 10_000;
const MIN_CHUNK = 250;

/** The groups of one period after the other; about as many points are read at once as `limit` groups have. */
export async function* readGroups(
  source: SeriesSource,
  { kind, toCoarser }: PeriodNesting,
  { limit, ...range }: PointRange,
  getAggregate: (index: number) => AggregateName,
): AsyncGenerator<readonly PointGroup[]> {
  const pointsPerGroup = source.kind.periodsPerYear / kind.periodsPerYear;
  const wanted = Math.ceil((limit + 1) * pointsPerGroup);
  const chunk = { ...range, limit: Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, wanted)) };
  let grouping: PointGrouping | undefined;
  let after: RecordKey | undefined;
  do {
    const { points, next } = await source.read({ ...chunk, ...(after && { after }) });
    if (kind.unit === source.kind.unit) yield points.map(toGroup);
    else
      for (const point of points) {
        const ordinal = toCoarser(point.ordinal);
        if (ordinal !== grouping?.ordinal) {
          if (grouping) yield grouping.list();
          grouping = new PointGrouping(ordinal, range.isOldestFirst === true, getAggregate);
        }
        grouping.add(point);
      }
    after = next;
  } while (after);
  if (grouping) yield grouping.list();
}
