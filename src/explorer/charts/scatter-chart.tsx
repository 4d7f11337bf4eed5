import { scaleSqrt } from 'd3-scale';
import { line } from 'd3-shape';
import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ChartCurve, ChartPoint } from './chart-data.ts';
import {
  type ChartFrame,
  createChartFrame,
  renderAxes,
  roundPixels,
  type Tick,
  thinTicks,
  useElementWidth,
} from './chart-frame.tsx';
import { ChartPlot, type TooltipContent } from './chart-plot.tsx';

interface ScatterChartProps {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly curves: readonly ChartCurve[];
  /** Ticks of the horizontal axis, which has a square-root scale. */
  readonly ticks: readonly Tick[];
  readonly formatAxis: (value: number) => string;
  readonly getTooltip: (point: ChartPoint) => TooltipContent;
  /** Called when a point is clicked, tapped twice or entered. */
  readonly onSelect: (point: ChartPoint) => void;
}

type PlotPointerEvent = TargetedPointerEvent<HTMLDivElement>;

const HEIGHT = 420;
const HIT_RADIUS_PIXELS = 40;

/** Points with fitted curves, with a tooltip by mouse, touch or keyboard. */
export function ScatterChart(props: ScatterChartProps) {
  const { label, curves, ticks, formatAxis, getTooltip, onSelect } = props;
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [cursorKey, setCursorKey] = useState<string>();
  const points = useMemo(() => sortPoints(props.points), [props.points]);
  const frame = useMemo(
    () => (width > 0 && points.length > 0 ? createScatterFrame(props, width) : undefined),
    [width, points, curves, ticks, formatAxis],
  );
  const drawing = useMemo(() => frame && renderDrawing(props, frame), [frame]);
  const index = points.findIndex(({ key }) => key === cursorKey);
  const current = points[index];
  const onClick = (event: TargetedMouseEvent<HTMLDivElement>) => {
    const { pointerType } = event as PlotPointerEvent;
    const point = frame && findPoint(points, frame, event);
    // The first tap shows the tooltip, the second selects the point.
    if (point && (pointerType !== 'touch' || point === current)) onSelect(point);
    else setCursorKey(point?.key);
  };
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <ChartPlot
          {...{ label, frame, drawing }}
          xs={points.map(({ x }) => x)}
          cursor={current && index}
          defaultCursor={0}
          onCursor={(next) => setCursorKey(next === undefined ? undefined : points[next]?.key)}
          onEnter={() => current && onSelect(current)}
          getTooltip={(pointIndex) => getTooltip(points[pointIndex] as ChartPoint)}
          summary={`${points.length} points`}
          overlay={current && renderHighlight(current, frame)}
          onPointerMove={(event) => {
            if (event.pointerType !== 'touch') setCursorKey(findPoint(points, frame, event)?.key);
          }}
          onPointerLeave={({ pointerType }) => {
            if (pointerType !== 'touch') setCursorKey(undefined);
          }}
          onClick={onClick}
        />
      )}
    </div>
  );
}

function createScatterFrame(
  { points, curves, ticks, formatAxis }: ScatterChartProps,
  width: number,
): ChartFrame {
  const ys = [...points.map(({ y }) => y), ...curves.flatMap((c) => c.points.map(([, y]) => y))];
  const maxX = Math.max(1, ...points.map(({ x }) => x)) * 1.02;
  const frame = createChartFrame({
    ...{ width, height: HEIGHT, formatAxis },
    xDomain: [0, maxX],
    yDomain: [Math.min(...ys), Math.max(...ys)],
    ticks: () => [],
  });
  const x = scaleSqrt()
    .domain([0, maxX])
    .range([frame.left + 8, frame.right - 4]);
  const visibleTicks = ticks.filter(({ value }) => value <= maxX);
  return { ...frame, x, xTicks: thinTicks(visibleTicks, x, 30) };
}

function sortPoints(points: readonly ChartPoint[]): readonly ChartPoint[] {
  return points.toSorted((a, b) => a.x - b.x || a.y - b.y);
}

function renderDrawing({ points, curves, formatAxis }: ScatterChartProps, frame: ChartFrame) {
  const { x, y } = frame;
  const buildPath = line<readonly [number, number]>()
    .digits(2)
    .x((point) => x(point[0]))
    .y((point) => y(point[1]));
  return (
    <g>
      {renderAxes(frame, formatAxis)}
      {curves.map((curve) => (
        <path
          key={`${curve.name} ${curve.isComparison}`}
          class={`line fitted color-${curve.colorIndex} ${curve.isComparison ? 'comparison' : ''}`}
          data-name={curve.name}
          d={buildPath([...curve.points]) ?? ''}
        />
      ))}
      {points.map((point) => (
        <circle
          key={point.key}
          class={`point color-${point.colorIndex} ${point.isComparison ? 'comparison' : ''}`}
          data-key={point.key}
          cx={roundPixels(x(point.x))}
          cy={roundPixels(y(point.y))}
          r="4.5"
        />
      ))}
    </g>
  );
}

function renderHighlight({ x, y }: ChartPoint, frame: ChartFrame) {
  return <circle class="highlighted-point" cx={frame.x(x)} cy={frame.y(y)} r="9" />;
}

/** The point nearest to the pointer, within reach. */
function findPoint(
  points: readonly ChartPoint[],
  frame: ChartFrame,
  { currentTarget, clientX, clientY }: TargetedMouseEvent<HTMLDivElement>,
): ChartPoint | undefined {
  const { left, top } = currentTarget.getBoundingClientRect();
  let [nearest, minDistance] = [undefined as ChartPoint | undefined, HIT_RADIUS_PIXELS];
  for (const point of points) {
    const [x, y] = [frame.x(point.x) + left, frame.y(point.y) + top];
    const distance = Math.hypot(x - clientX, y - clientY);
    if (distance < minDistance) [nearest, minDistance] = [point, distance];
  }
  return nearest;
}
