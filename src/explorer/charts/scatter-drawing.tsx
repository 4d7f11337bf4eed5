import { line } from 'd3-shape';
import type { ChartCurve, ChartFrame, ChartPoint } from './chart-data.ts';
import { roundPixels } from './create-chart-frame.tsx';
import { buildCloudPath, layOutCurveLabels } from './scatter-layout.ts';
import { getPointPath } from './swatch.tsx';

/** More points than these are drawn as a cloud, because thousands of elements would be slow. */
const MAX_DRAWN_POINTS = 600;

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

const COMPARISON_CLASSES = ['comparison', 'comparison second'];

/** Above the points, each with an outline and its name at its end. */
export function renderCurves(curves: readonly ChartCurve[], frame: ChartFrame) {
  const { x, y } = frame;
  const buildPath = line<readonly [number, number]>()
    .digits(2)
    .x((point) => x(point[0]))
    .y((point) => y(point[1]));
  const paths = curves.map((curve) => ({ ...curve, path: buildPath([...curve.points]) ?? '' }));
  const labels = layOutCurveLabels(curves, frame);
  return (
    <>
      {paths.map(({ path }) => (
        <path key={path} class="line-outline" d={path} />
      ))}
      {paths.map(({ name, colorIndex, comparison, path }) => (
        <path
          key={`${name} ${comparison}`}
          class={`line fitted color-${colorIndex} ${COMPARISON_CLASSES[comparison ?? -1] ?? ''}`}
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
