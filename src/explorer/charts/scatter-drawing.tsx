import { line } from 'd3-shape';
import type { ChartCurve, ChartPoint } from './chart-data.ts';
import { type ChartFrame, roundPixels } from './chart-frame.tsx';
import { getPointPath } from './swatch.tsx';

/** More points than these are drawn as a cloud, because thousands of elements would be slow. */
export const MAX_DRAWN_POINTS = 600;

export function renderPoints(points: readonly ChartPoint[], frame: ChartFrame) {
  if (points.length > MAX_DRAWN_POINTS) return renderCloud(points, frame);
  const scale = points.length > MANY_POINTS ? ' scale(0.76)' : '';
  return points.map((point) => (
    <path
      key={point.key}
      class={`point color-${point.colorIndex} ${point.isComparison ? 'comparison' : ''}`}
      data-key={point.key}
      d={getPointPath(point.colorIndex)}
      transform={`translate(${roundPixels(frame.x(point.x))} ${roundPixels(frame.y(point.y))})${scale}`}
    />
  ));
}

/** From here on, points are drawn smaller. */
const MANY_POINTS = 60;

/** A path for all points of a colour, the compared ones below. */
function renderCloud(points: readonly ChartPoint[], frame: ChartFrame) {
  const groups = Map.groupBy(
    points,
    ({ colorIndex, isComparison }) => `color-${colorIndex} ${isComparison ? 'comparison' : ''}`,
  );
  const isBelow = (name: string) => Number(name.endsWith('comparison'));
  return [...groups]
    .toSorted(([a], [b]) => isBelow(b) - isBelow(a))
    .map(([name, group]) => (
      <path key={name} class={`point-cloud ${name}`} d={buildCloudPath(group, frame)} />
    ));
}

/** Points that would cover each other are drawn once. */
const CELL_PIXELS = 3;

export function buildCloudPath(
  points: readonly ChartPoint[],
  { x, y, width }: Pick<ChartFrame, 'x' | 'y' | 'width'>,
): string {
  const cells = new Set<number>();
  const columns = Math.ceil(width / CELL_PIXELS) + 1;
  let path = '';
  for (const point of points) {
    const [column, row] = [x(point.x), y(point.y)].map((pixels) =>
      Math.round(pixels / CELL_PIXELS),
    ) as [number, number];
    const cell = row * columns + column;
    if (cells.has(cell)) continue;
    cells.add(cell);
    path += `M${column * CELL_PIXELS},${row * CELL_PIXELS}h0`;
  }
  return path;
}

/** Above the points, each with an outline and its name at its end. */
export function renderCurves(curves: readonly ChartCurve[], frame: ChartFrame) {
  const { x, y } = frame;
  const buildPath = line<readonly [number, number]>()
    .digits(2)
    .x((point) => x(point[0]))
    .y((point) => y(point[1]));
  const paths = curves.map((curve) => ({ ...curve, path: buildPath([...curve.points]) ?? '' }));
  const labels = layOutLabels(curves, frame);
  return (
    <>
      {paths.map(({ path }) => (
        <path key={path} class="line-outline" d={path} />
      ))}
      {paths.map(({ name, colorIndex, isComparison, path }) => (
        <path
          key={`${name} ${isComparison}`}
          class={`line fitted color-${colorIndex} ${isComparison ? 'comparison' : ''}`}
          data-name={name}
          d={path}
        />
      ))}
      {labels.map(({ name, colorIndex, left, top }) => (
        <text
          key={`${name} ${top}`}
          class={`line-label color-${colorIndex}`}
          x={left}
          y={top}
          text-anchor="end"
        >
          {name}
        </text>
      ))}
    </>
  );
}

const LABEL_HEIGHT = 14;

/** Names above the ends of the lines, pushed apart where they would overlap. */
export function layOutLabels(
  curves: readonly ChartCurve[],
  { x, y, right, top: frameTop }: Pick<ChartFrame, 'x' | 'y' | 'right' | 'top'>,
) {
  const labels = curves
    .flatMap(({ label, name, colorIndex, points }) => {
      const end = points.at(-1);
      if (!end) return [];
      const [left, top] = [Math.min(right, x(end[0])), y(end[1]) - 8];
      return { name: label ?? name, colorIndex, left: roundPixels(left), top: roundPixels(top) };
    })
    .toSorted((a, b) => b.top - a.top);
  // From the lowest upwards, each at least a line above the one before it.
  let limit = Infinity;
  return labels.map((label) => {
    const top = Math.max(frameTop + LABEL_HEIGHT, Math.min(label.top, limit));
    limit = top - LABEL_HEIGHT;
    return { ...label, top: roundPixels(top) };
  });
}
