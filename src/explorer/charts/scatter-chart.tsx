import { scaleSqrt } from 'd3-scale';
import { line } from 'd3-shape';
import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { memo } from '../components/memo.ts';
import {
  ChartAxes,
  type ChartFrame,
  createChartFrame,
  roundPixels,
  thinTicks,
} from './chart-frame.tsx';
import type { ChartCurve, ChartPoint } from './chart-points.ts';
import { getIndexForKey } from './interactive-plot.tsx';
import type { Tick } from './ticks.ts';
import { Tooltip, type TooltipContent } from './tooltip.tsx';
import { useElementWidth } from './use-element-width.ts';

interface ScatterChartProps {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly curves: readonly ChartCurve[];
  /** Ticks of the horizontal axis, which grows with the square root: the near end has more room. */
  readonly ticks: readonly Tick[];
  readonly axis: (value: number) => string;
  readonly getTooltip: (point: ChartPoint) => TooltipContent;
  /** Called with a point that was chosen by mouse, finger or Enter. */
  readonly onSelect: (point: ChartPoint) => void;
  readonly height?: number;
}

/** Points with curves through them. To be read off by mouse, finger or keys. */
export function ScatterChart(props: ScatterChartProps) {
  const { label, points, curves, ticks, axis, getTooltip, onSelect, height = 420 } = props;
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [cursor, setCursor] = useState<string>();
  const inOrder = useMemo(() => [...points].sort((a, b) => a.x - b.x || a.y - b.y), [points]);
  const frame = useMemo(
    () =>
      width > 0 && points.length > 0
        ? createScatterFrame(width, height, points, curves, ticks, axis)
        : undefined,
    [width, height, points, curves, ticks, axis],
  );
  const found = inOrder.findIndex(({ key }) => key === cursor);
  const current = inOrder[found];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current) onSelect(current);
    if (event.key === 'Escape') setCursor(undefined);
    const to = getIndexForKey(event, found, inOrder.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    setCursor(inOrder[to]?.key);
  };
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <div
          class="plot"
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={inOrder.length - 1}
          aria-valuenow={Math.max(0, found)}
          aria-valuetext={current ? toAriaText(getTooltip(current)) : `${points.length} points`}
          onKeyDown={onKeyDown}
          onBlur={() => setCursor(undefined)}
          {...createPointerHandlers(inOrder, frame, cursor, setCursor, onSelect)}
        >
          <svg class="drawing" width={frame.width} height={frame.height} aria-hidden="true">
            <ChartAxes frame={frame} axis={axis} />
            <ScatterPoints points={points} curves={curves} frame={frame} />
          </svg>
          <svg class="overlay" width={frame.width} height={frame.height} aria-hidden="true">
            {current && (
              <circle
                class="highlighted-point"
                cx={frame.x(current.x)}
                cy={frame.y(current.y)}
                r="9"
              />
            )}
          </svg>
          {current && (
            <Tooltip reading={getTooltip(current)} at={frame.x(current.x)} frame={frame} />
          )}
        </div>
      )}
    </div>
  );
}

/** What mouse and finger do. A finger reads a point off first, and chooses it the second time. */
function createPointerHandlers(
  points: readonly ChartPoint[],
  frame: ChartFrame,
  cursor: string | undefined,
  setCursor: (key: string | undefined) => void,
  onChoose: (point: ChartPoint) => void,
) {
  type Pointer = TargetedPointerEvent<HTMLElement>;
  const under = (event: Pointer) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return findNearestPoint(points, frame, event.clientX - left, event.clientY - top);
  };
  const isFinger = ({ pointerType }: Pointer) => pointerType === 'touch';
  return {
    onPointerMove: (event: Pointer) => {
      if (!isFinger(event)) setCursor(under(event)?.key);
    },
    onPointerLeave: (event: Pointer) => {
      if (!isFinger(event)) setCursor(undefined);
    },
    onClick: (event: TargetedMouseEvent<HTMLElement>) => {
      const point = under(event as Pointer);
      if (point && (!isFinger(event as Pointer) || point.key === cursor)) onChoose(point);
      else setCursor(point?.key);
    },
  };
}

/** The points and lines themselves. Drawn anew only where one of them is another. */
const ScatterPoints = memo(function Points({
  points,
  curves,
  frame,
}: Pick<ScatterChartProps, 'points' | 'curves'> & { readonly frame: ChartFrame }) {
  return (
    <g>
      {curves.map((curve) => (
        <path
          key={`${curve.name} ${curve.isComparison}`}
          class={`line fitted color-${curve.colorIndex} ${curve.isComparison ? 'comparison' : ''}`}
          data-name={curve.name}
          d={buildCurvePath(curve, frame)}
        />
      ))}
      {points.map((point) => (
        <circle
          key={point.key}
          class={`point color-${point.colorIndex} ${point.isComparison ? 'comparison' : ''}`}
          data-key={point.key}
          cx={roundPixels(frame.x(point.x))}
          cy={roundPixels(frame.y(point.y))}
          r="4.5"
        />
      ))}
    </g>
  );
});

function createScatterFrame(
  width: number,
  height: number,
  points: readonly ChartPoint[],
  curves: readonly ChartCurve[],
  ticks: readonly Tick[],
  axis: (value: number) => string,
): ChartFrame {
  const values = [
    ...points.map(({ y }) => y),
    ...curves.flatMap((c) => c.points.map(([, y]) => y)),
  ];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const to = Math.max(1, ...points.map(({ x }) => x)) * 1.02;
  const frame = createChartFrame({
    width,
    height,
    from: 0,
    to,
    low,
    high,
    ticks: () => [],
    formatAxis: axis,
  });
  const x = scaleSqrt()
    .domain([0, to])
    .range([frame.left + 8, frame.right - 4]);
  return {
    ...frame,
    x,
    xTicks: thinTicks(
      ticks.filter(({ at }) => at <= to),
      x,
      30,
    ),
  };
}

function buildCurvePath({ points }: ChartCurve, { x, y }: ChartFrame): string {
  const path = line<readonly [number, number]>()
    .digits(2)
    .x(([at]) => x(at))
    .y(([, value]) => y(value));
  return path(points as [number, number][]) ?? '';
}

const HIT_RADIUS_PIXELS = 40;

function findNearestPoint(
  points: readonly ChartPoint[],
  frame: ChartFrame,
  x: number,
  y: number,
): ChartPoint | undefined {
  let [best, reach] = [undefined as ChartPoint | undefined, HIT_RADIUS_PIXELS];
  for (const point of points) {
    const distance = Math.hypot(frame.x(point.x) - x, frame.y(point.y) - y);
    if (distance < reach) [best, reach] = [point, distance];
  }
  return best;
}

function toAriaText({ title, rows }: TooltipContent): string {
  return `${title}: ${rows.map(({ name, text }) => `${name} ${text}`).join(', ')}`;
}
