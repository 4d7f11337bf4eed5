import { MAX_DAYS_EARLIER, type PeriodKind } from '../catalogue/model/period.ts';
import type { UnitsCode } from '../catalogue/model/transform-parameters.ts';
import { addMonths } from '../shared/calendar.ts';
import {
  type PointRange,
  readGroupPage,
  readGroups,
  type SeriesSource,
  toOwnRange,
} from './observation-source.ts';
import { findBasePeriod, type PeriodNesting } from './period-nesting.ts';
import { type Figure, getFigures, type MeasureTransform, type PointGroup } from './point-groups.ts';
import { computeUnits, getBase } from './units.ts';

export interface SeriesTransform {
  readonly nesting: PeriodNesting;
  readonly getMeasure: (index: number) => MeasureTransform;
  /** All units that measures have. */
  readonly units: readonly UnitsCode[];
  /** Periods as the result has them. */
  readonly page: PointRange;
  /** The share of the expected figures that is enough; by default all, unless gaps are allowed. */
  readonly minShare?: number | undefined;
  /** Whether the period that is not over yet has figures. */
  readonly includesPartial?: boolean | undefined;
}

/** A record of a result: a group of points, with a figure for each measure. */
export interface TransformedRecord
  extends Omit<PointGroup, 'figures' | 'values'>,
    AggregatedGroup {}

interface AggregatedGroup {
  readonly values: readonly Figure[];
  /** How many figures there are of each measure; undefined if no record has the key. */
  readonly counts: readonly (number | undefined)[];
  readonly expected: number;
}

/** Aggregates the points of series, then computes units; holds a page, and what it is compared with. */
export async function transformSeries(
  source: SeriesSource,
  transform: SeriesTransform,
): Promise<{ readonly records: readonly TransformedRecord[]; readonly hasMore: boolean }> {
  const { nesting, units, page, getMeasure } = transform;
  const { kind } = nesting;
  const getAggregate = (index: number) => getMeasure(index).aggregate;
  const { all, groups } = await readGroupPage(source, nesting, page, getAggregate);
  if (groups.length === 0) return { records: [], hasMore: false };
  const span = findSpan(groups.map(({ ordinal }) => ordinal));
  const findDay = await createDayFinder(source, kind, units, span);
  const findBase = (ordinal: number, code: UnitsCode) =>
    findBasePeriod(kind, ordinal, code, findDay);
  // The page may end amid the series of its first period, unless that was aggregated.
  const firstRead = kind.unit === source.kind.unit ? span.first + 1 : span.first;
  const earlier = groups
    .flatMap(({ ordinal }) => units.map((code) => findBase(ordinal, code)))
    .filter((ordinal) => ordinal !== undefined && ordinal < firstRead) as number[];
  if (earlier.length > 0) {
    const { first, last } = findSpan(earlier);
    const range = { ...toOwnRange(nesting, first, last), limit: last - first };
    for await (const found of readGroups(source, nesting, range, getAggregate)) all.push(...found);
  }
  const aggregate = await createAggregate(source, transform, all);
  const bySeries = new Map<string, Map<number, AggregatedGroup>>();
  for (const group of all)
    bySeries.getOrInsertComputed(group.key, createPeriods).set(group.ordinal, aggregate(group));
  const records = groups.slice(0, page.limit).map(({ figures: _, ...group }) => {
    const { ordinal, key } = group;
    const series = bySeries.get(key) ?? createPeriods();
    const { values = [], counts = [], expected = 0 } = series.get(ordinal) ?? {};
    const bases = units.map((code) => series.get(findBase(ordinal, code) ?? Number.NaN)?.values);
    const computed = Array.from(values, (value, index) => {
      const { units: code } = getMeasure(index);
      if (code === 'lin' || typeof value !== 'number') return value;
      const base = bases[units.indexOf(code)]?.[index];
      const compared = typeof base === 'number' ? base : null;
      return computeUnits(code, value, compared, kind.periodsPerYear);
    });
    return { ...group, values: computed, counts, expected };
  });
  return { records, hasMore: groups.length > page.limit };
}

const createPeriods = () => new Map<number, AggregatedGroup>();

interface Span {
  readonly first: number;
  readonly last: number;
}

function findSpan(ordinals: readonly number[]): Span {
  const range = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  for (const ordinal of ordinals) {
    range.first = Math.min(range.first, ordinal);
    range.last = Math.max(range.last, ordinal);
  }
  return range;
}

/** Finds the newest day up to another on which the dataset has any record, for the days of a page. */
async function createDayFinder(
  source: SeriesSource,
  { hasHolidays }: PeriodKind,
  units: readonly UnitsCode[],
  { first, last }: Span,
): Promise<(upTo: number) => number | undefined> {
  if (!hasHolidays) return () => undefined;
  const days: number[] = [];
  const hasBase = (base: 'period' | 'year') => units.some((code) => getBase(code) === base);
  if (hasBase('period')) {
    days.push(...(await source.findPeriods({ from: first, to: last })));
    days.push(...(await source.findPeriods({ to: first - 1, limit: 1 })));
  }
  if (hasBase('year')) {
    const from = addMonths(first, -12) - MAX_DAYS_EARLIER;
    days.push(...(await source.findPeriods({ from, to: addMonths(last, -12) })));
  }
  const newestFirst = Int32Array.from(new Set(days)).sort().reverse();
  return (upTo) => {
    let [low, high] = [0, newestFirst.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((newestFirst[middle] ?? 0) > upTo) low = middle + 1;
      else high = middle;
    }
    return newestFirst[low];
  };
}

/** How groups become figures: none if a period lacks too many of those that are expected of it. */
async function createAggregate(
  source: SeriesSource,
  { nesting, minShare, includesPartial = false }: SeriesTransform,
  groups: readonly PointGroup[],
): Promise<(group: PointGroup) => AggregatedGroup> {
  const { kind, getFirst, toCoarser } = nesting;
  if (kind.unit === source.kind.unit)
    return ({ values = [] }) => ({ values, counts: values.map(countFigure), expected: 1 });
  const { hasHolidays } = source.kind;
  const newest = await findNewest(source);
  const days = new Map<number, number>();
  if (hasHolidays) {
    const { first, last } = findSpan(groups.map(({ ordinal }) => ordinal));
    for (const day of await source.findPeriods(toOwnRange(nesting, first, last))) {
      const ordinal = toCoarser(day);
      days.set(ordinal, (days.get(ordinal) ?? 0) + 1);
    }
  }
  const least = minShare ?? (source.allowsGaps ? 0 : 1);
  return (group) => {
    const first = getFirst(group.ordinal);
    const last = getFirst(group.ordinal + 1) - 1;
    const expected = days.get(group.ordinal) ?? last + 1 - first;
    // Days are expected by those that there are: a period without a record after it may get more.
    const isOver = hasHolidays ? newest > last : newest >= last;
    const soFar = hasHolidays ? expected : Math.min(last, newest) + 1 - first;
    // A quotient, unlike a product, is the share as it was written.
    const isEnough = (count: number) => (isOver || includesPartial) && count / soFar >= least;
    const counts = Array.from(group.figures, (each) => each?.count);
    return { values: getFigures(group, isEnough), counts, expected };
  };
}

const countFigure = (figure: Figure) =>
  figure === undefined ? undefined : Number(figure !== null);

/** The newest period in which the dataset has any record. */
async function findNewest(source: SeriesSource): Promise<number> {
  const [newest = Number.NEGATIVE_INFINITY] = await (source.findNewest?.() ??
    source.findPeriods({ limit: 1 }));
  return newest;
}
