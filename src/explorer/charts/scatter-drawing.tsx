import { line } from 'd3-shape';
import type { ChartCurve, ChartFrame, ChartPoint } from './chart-data.ts';
import { roundPixels } from './create-chart-frame.tsx';
import { COMPARISON_CLASSES, getPointPath } from './legend.tsx';
import { buildCloudPaths, CLOUD_SCALE, layOutCurveLabels } from './scatter-layout.ts';

/** More points than this are drawn as a cloud, because thousands of elements would be slow. */
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

/** From this number on, points are drawn smaller. */
const MANY_POINTS = 60;

/** Marks that stand for one or more points: compared ones at the bottom, the densest on top. */
function renderCloud(points: readonly ChartPoint[], frame: ChartFrame) {
  const groups = Map.groupBy(
    points,
    ({ colorIndex, isComparison }) => `${isComparison ? 'comparison' : ''} color-${colorIndex}`,
  );
  const paths = [...groups].flatMap(([name, group]) =>
    buildCloudPaths(group, frame, getPointPath(group[0]?.colorIndex ?? 0)).map((path, density) => {
      const isBelow = name.startsWith('comparison');
      return { name, path, density, rank: density - (isBelow ? MAX_DENSITIES : 0) };
    }),
  );
  return (
    <g transform={`scale(${CLOUD_SCALE})`}>
      {paths
        .filter(({ path }) => path !== '')
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ name, path, density }) => (
          <path
            key={name + density}
            class={`point-cloud density-${density} ${name}`}
            style={{ '--density': DENSITIES[density] }}
            d={path}
          />
        ))}
    </g>
  );
}

const MAX_DENSITIES = 10;
/** How opaque the marks are, lightest first. */
const DENSITIES = [0.22, 0.45, 0.7, 1];

/** Each has its name at its end, and an outline over a cloud; over single points an outline would hide them. */
export function renderCurves(
  curves: readonly ChartCurve[],
  frame: ChartFrame,
  { length: pointCount }: readonly ChartPoint[],
) {
  const { x, y } = frame;
  const buildPath = line<readonly [number, number]>()
    .digits(2)
    .x((point) => x(point[0]))
    .y((point) => y(point[1]));
  const paths = curves.map((curve) => ({ ...curve, path: buildPath([...curve.points]) ?? '' }));
  const labels = layOutCurveLabels(curves, frame);
  return (
    <>
      {pointCount > MAX_DRAWN_POINTS &&
        paths.map(({ path }) => <path key={path} class="line-outline" d={path} />)}
      {paths.map(({ name, colorIndex, comparison, path }) => (
        <path
          key={`${name} ${comparison}`}
          class={`line fitted color-${colorIndex} ${COMPARISON_CLASSES[comparison ?? -1] ?? ''}`}
          data-name={name}
          d={path}
        />
      ))}
      {labels.map(({ name, colorIndex, left, top, anchor }) => (
        <text
          key={`${name} ${top}`}
          class={`line-label color-${colorIndex}`}
          x={left}
          y={top}
          text-anchor={anchor}
        >
          {name}
        </text>
      ))}
    </>
  );
}
