import { createPeriodKind, type PeriodKind } from '../../catalogue/model/period.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import {
  type PointRange,
  type SeriesSource,
  toOwnRange,
} from '../../transforms/observation-source.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Figure, Point } from '../../transforms/point-groups.ts';

/** A day whose figures can be computed, and what from. */
export interface ComputableDay {
  readonly day: number;
}

interface ComputedFigures<Day extends ComputableDay> {
  /** How many figures a day has. */
  readonly width: number;
  /** Days in the order of a range: at least as many as its limit says, if there are so many. */
  list(range: PointRange): Awaitable<readonly Day[]>;
  compute(days: readonly Day[]): Promise<readonly (readonly Figure[])[]>;
  readonly findPeriods: SeriesSource['findPeriods'];
  /** The newest day of what figures are computed from: a period that it is after is over. */
  readonly findNewest: () => Awaitable<readonly number[]>;
  readonly allowsGaps?: true | undefined;
}

/** A figure takes some milliseconds, so that few more are computed than a page needs. */
const MAX_COMPUTED_AT_ONCE = 25;
const DAYS_PER_YEAR = 366;
export const DAYS = createPeriodKind('day');

/**
 * Computed figures in periods: those of days, or of the last day of each coarser period. The last day
 * of the newest of these may still come, so that its figures are not known unless that is allowed.
 */
export function createComputedSource<Day extends ComputableDay>(
  { kind, includesPartial }: { readonly kind: PeriodKind; readonly includesPartial: boolean },
  { width, list, compute, findPeriods, findNewest, allowsGaps }: ComputedFigures<Day>,
): SeriesSource {
  const nesting = nestPeriods(DAYS, kind);
  if (!nesting) throw new TypeError(`days make up no ${kind.unit}`);
  const { toCoarser, getFirst } = nesting;
  const maxDays = Math.ceil(DAYS_PER_YEAR / kind.periodsPerYear);
  return {
    kind,
    ...(allowsGaps && { allowsGaps }),
    findNewest,
    findPeriods,
    async read({ from, to, limit, after, isOldestFirst = false }) {
      const place = after && Number(after[0]);
      const first = isOldestFirst && place !== undefined ? place + 1 : from;
      const last = !isOldestFirst && place !== undefined ? place - 1 : to;
      const count = Math.min(limit, MAX_COMPUTED_AT_ONCE);
      const range = { ...toOwnRange(nesting, first, last), isOldestFirst };
      const found = await list({ ...range, limit: (count + 1) * maxDays });
      const periods = [...Map.groupBy(found, ({ day }) => toCoarser(day))];
      const page = periods.slice(0, count);
      const days = page.flatMap(([, each]) => each.at(isOldestFirst ? -1 : 0) ?? []);
      const [newest = 0] = kind.hasHolidays || includesPartial ? [Infinity] : await findNewest();
      const known = days.filter(({ day }) => newest >= getFirst(toCoarser(day) + 1));
      const figures = new Map(
        (await compute(known)).map((values, index) => [known[index] as Day, values]),
      );
      const points = page.map(([ordinal], index): Point => {
        const values = figures.get(days[index] as Day) ?? Array<null>(width).fill(null);
        return { ordinal, label: kind.formatLabel(ordinal), dimensions: [], values };
      });
      return { points, next: periods.length > count ? [points.at(-1)?.ordinal ?? 0] : undefined };
    },
  };
}
