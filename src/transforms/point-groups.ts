import { NORMAL_STATUS } from '../catalogue/model/observation-status.ts';
import type { AggregateName, UnitsCode } from '../catalogue/model/transform-parameters.ts';
import { sumDecimals } from '../shared/decimals.ts';

/** A record of a series as figures. */
export interface Point {
  readonly ordinal: number;
  /** The period as published. */
  readonly label: string;
  readonly dimensions: readonly string[];
  /**
   * One for each measure: null if it is unknown, undefined if the record has no such key. NaN is
   * unknown too, and stays the first or last figure of a coarser period.
   */
  readonly values: readonly Figure[];
  /** The indexes of the values that are members of a list, in the order of these. */
  readonly members?: readonly number[];
  readonly status?: string | undefined;
}

/** As a text, it is written as in its record: nothing is computed from it. */
export type Figure = number | string | null | undefined;

/** What becomes of a measure. */
export interface MeasureTransform {
  readonly aggregate: AggregateName;
  readonly units: UnitsCode;
}

/** The points of one series in one period, which may be coarser than those of the points. */
export interface PointGroup extends Omit<Point, 'values'> {
  /** The dimension values in one text, which sorts as they do. */
  readonly key: string;
  /** What becomes of the figures of each measure; undefined if no point has the key. */
  readonly figures: readonly (AggregatedFigure | undefined)[];
  /** Those of a group that is one point, whose own figures these are. */
  readonly values?: Point['values'];
}

/** A figure of a period, and of how many figures it was computed. */
interface AggregatedFigure {
  readonly figure: number;
  readonly count: number;
}

/** A group of one point: if points are not aggregated, each is one. */
export function toGroup(point: Point): PointGroup {
  return { ...point, key: joinDimensions(point.dimensions), figures: [] };
}

/** Dimension values in one text, with what is less than any character of them in between. */
export const joinDimensions = (values: readonly (string | number)[]) => values.join('\0');

/** Puts points of one period into groups, by their dimension values. */
export class PointGrouping {
  readonly #groups = new Map<string, MutableGroup>();

  constructor(
    readonly ordinal: number,
    private readonly isOldestFirst: boolean,
    private readonly getAggregate: (index: number) => AggregateName,
  ) {}

  add({ dimensions, label, values, members = [], status }: Point): void {
    const key = joinDimensions(dimensions);
    let group = this.#groups.get(key);
    if (!group) {
      group = { ordinal: this.ordinal, key, dimensions, label, status, figures: [] };
      this.#groups.set(key, group);
    } else if (group.status === NORMAL_STATUS || (this.isOldestFirst && status !== NORMAL_STATUS)) {
      group.status = status;
    }
    if (members.length > 0) {
      const { members: others = [] } = group;
      // In the order of the newest point, whichever comes first.
      const all = this.isOldestFirst ? [...members, ...others] : [...others, ...members];
      group.members = [...new Set(all)];
    }
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue;
      group.figures[index] ??= [];
      if (value === null) continue;
      group.figures[index].push(Number(value));
    }
  }

  /** The groups in the order of their dimension values, when all points were added. */
  list(): readonly PointGroup[] {
    const groups = [...this.#groups.values()].map((group) => ({
      ...group,
      figures: Array.from(
        group.figures,
        (values, index) => values && this.#aggregate(values, index),
      ),
    }));
    if (groups.length === 1) return groups;
    return groups
      .map((group) => [Buffer.from(group.key), group] as const)
      .sort(([a], [b]) => Buffer.compare(a, b))
      .map(([, group]) => group);
  }

  #aggregate(values: number[], index: number): AggregatedFigure {
    if (!this.isOldestFirst) values.reverse();
    const { length: count } = values.filter((value) => !Number.isNaN(value));
    return { figure: AGGREGATES[this.getAggregate(index)](values), count };
  }
}

type MutableGroup = { -readonly [Name in keyof Omit<PointGroup, 'figures'>]: PointGroup[Name] } & {
  figures: (number[] | undefined)[];
};

/** What becomes of the figures of a coarser period, which are given oldest first. */
const AGGREGATES = {
  sum: sumDecimals,
  mean: (figures) => sumDecimals(figures) / figures.length,
  first: (figures) => figures[0] ?? Number.NaN,
  last: (figures) => figures.at(-1) ?? Number.NaN,
  min: (figures) => Math.min(...figures),
  max: (figures) => Math.max(...figures),
} as const satisfies Readonly<Record<AggregateName, (figures: readonly number[]) => number>>;

/** The figures of a group, one for each measure; null if it has too few of them. */
export function getFigures(
  { figures }: PointGroup,
  isEnough: (count: number) => boolean,
): Figure[] {
  return figures.map((each) => {
    if (!each) return undefined;
    const { figure, count } = each;
    return count > 0 && isEnough(count) && Number.isFinite(figure) ? figure : null;
  });
}
