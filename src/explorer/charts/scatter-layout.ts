import type { ChartCurve, ChartFrame, ChartPoint } from './chart-data.ts';

/** Points of one colour within a square of this size share a mark. */
const CELL_PIXELS = 7;
/** The size of cloud marks relative to single points. */
export const CLOUD_SCALE = 0.7;
/** Marks with more points have the next density. */
const DENSITY_LIMITS = [1, 3, 10];

/** A path for each density, lightest first, with marks in `shape`. */
export function buildCloudPaths(
  points: readonly ChartPoint[],
  { x, y, width }: Pick<ChartFrame, 'x' | 'y' | 'width'>,
  shape: string,
): string[] {
  const cells = new Map<number, { readonly start: string; count: number }>();
  const columns = Math.ceil(width / CELL_PIXELS) + 1;
  for (const point of points) {
    const [left, top] = [x(point.x), y(point.y)];
    const key = Math.round(top / CELL_PIXELS) * columns + Math.round(left / CELL_PIXELS);
    const cell = cells.get(key);
    if (cell) cell.count++;
    else
      cells.set(key, {
        start: `M${round(left / CLOUD_SCALE)},${round(top / CLOUD_SCALE)}`,
        count: 1,
      });
  }
  const paths = [...DENSITY_LIMITS, Infinity].map(() => '');
  for (const { start, count } of cells.values()) {
    const density = DENSITY_LIMITS.filter((limit) => count > limit).length;
    paths[density] += start + shape;
  }
  return paths;
}

const LABEL_HEIGHT = 14;
export const LABEL_CHARACTER_WIDTH = 7.6;
const LABEL_GAP = 8;

type LabelScales = Pick<ChartFrame, 'x' | 'y' | 'right' | 'top'>;

/** Names beside the ends of the curves where there is room, else above them. */
export function layOutCurveLabels(curves: readonly ChartCurve[], scales: LabelScales) {
  const { x, right } = scales;
  const { beside = [], above = [] } = Object.groupBy(curves, ({ label, name, points }) => {
    const width = (label ?? name).length * LABEL_CHARACTER_WIDTH + LABEL_GAP;
    return x(points.at(-1)?.[0] ?? 0) + width < right ? 'beside' : 'above';
  });
  return [
    ...layOutLabels(beside, scales, LABEL_HEIGHT / 3).map((label) => {
      return { ...label, left: label.left + LABEL_GAP, anchor: 'start' as const };
    }),
    ...layOutLabelsAbove(above, scales).map((label) => ({ ...label, anchor: 'end' as const })),
  ];
}

/** Names above the ends of the curves; the lowest curve has its name below if the next one is close. */
function layOutLabelsAbove(curves: readonly ChartCurve[], scales: LabelScales) {
  const getEnd = ({ points }: ChartCurve) => scales.y(points.at(-1)?.[1] ?? 0);
  const [lowest, ...others] = curves
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => getEnd(b) - getEnd(a));
  const next = others[0];
  if (!lowest || !next || getEnd(lowest) - getEnd(next) > LABEL_HEIGHT + LABEL_GAP)
    return layOutLabels(curves, scales);
  const below = layOutLabels([lowest], scales).map((label) => {
    const start = label.left - label.name.length * LABEL_CHARACTER_WIDTH;
    const nearest = lowest.points.filter(([x]) => scales.x(x) >= start);
    const bottom = Math.max(...nearest.map(([, y]) => scales.y(y)));
    return { ...label, top: round(bottom + LABEL_HEIGHT) };
  });
  return [...below, ...layOutLabels(others, scales)];
}

/** Names `drop` pixels below the ends of the lines (by default above them), moved apart if they overlap. */
export function layOutLabels(
  curves: readonly ChartCurve[],
  { x, y, right, top: frameTop }: LabelScales,
  drop = -LABEL_GAP,
) {
  const labels = curves
    .flatMap(({ label, name, colorIndex, points }) => {
      const end = points.at(-1);
      if (!end || label === '') return [];
      const [left, top] = [Math.min(right, x(end[0])), y(end[1]) + drop];
      return { name: label ?? name, colorIndex, left: round(left), top: round(top) };
    })
    .toSorted((a, b) => b.top - a.top);
  // From the lowest upwards, each at least a line above the previous one, as far as there is room.
  let limit = Infinity;
  return labels.map((label, index) => {
    const highest = frameTop + (labels.length - 1 - index) * LABEL_HEIGHT;
    const top = Math.max(highest, Math.min(label.top, limit));
    limit = top - LABEL_HEIGHT;
    return { ...label, top: round(top) };
  });
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
