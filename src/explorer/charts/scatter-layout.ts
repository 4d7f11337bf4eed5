import type { ChartCurve, ChartPoint } from './chart-data.ts';

/** What of a chart's frame positions depend on. */
interface ScatterScales {
  readonly width: number;
  readonly right: number;
  readonly top: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** Points that would cover each other are drawn once. */
const CELL_PIXELS = 3;

/** A dot for each of the points, as one path. */
export function buildCloudPath(
  points: readonly ChartPoint[],
  { x, y, width }: Pick<ScatterScales, 'x' | 'y' | 'width'>,
): string {
  const cells = new Set<number>();
  const columns = Math.ceil(width / CELL_PIXELS) + 1;
  let path = '';
  for (const point of points) {
    const [left, top] = [x(point.x), y(point.y)];
    const [column, row] = [Math.round(left / CELL_PIXELS), Math.round(top / CELL_PIXELS)];
    const cell = row * columns + column;
    if (cells.has(cell)) continue;
    cells.add(cell);
    path += `M${round(left)},${round(top)}h0`;
  }
  return path;
}

const LABEL_HEIGHT = 14;

/** Names above the ends of the lines, pushed apart where they would overlap. */
export function layOutLabels(
  curves: readonly ChartCurve[],
  { x, y, right, top: frameTop }: Pick<ScatterScales, 'x' | 'y' | 'right' | 'top'>,
) {
  const labels = curves
    .flatMap(({ label, name, colorIndex, points }) => {
      const end = points.at(-1);
      if (!end) return [];
      const [left, top] = [Math.min(right, x(end[0])), y(end[1]) - 8];
      return { name: label ?? name, colorIndex, left: round(left), top: round(top) };
    })
    .toSorted((a, b) => b.top - a.top);
  // From the lowest upwards, each at least a line above the one before it.
  let limit = Infinity;
  return labels.map((label) => {
    const top = Math.max(frameTop + LABEL_HEIGHT, Math.min(label.top, limit));
    limit = top - LABEL_HEIGHT;
    return { ...label, top: round(top) };
  });
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
