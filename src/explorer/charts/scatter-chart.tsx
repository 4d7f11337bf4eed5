import { scaleSqrt } from 'd3-scale';
import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useElementWidth } from '../components/use-element-width.ts';
import { formatQuantity } from '../formatting/numbers.ts';
import { type ChartCurve, type ChartFrame, type ChartPoint, findExtent } from './chart-data.ts';
import { ChartPlot, type TooltipContent } from './chart-plot.tsx';
import { type ChartFrameOptions, createChartFrame, renderAxes } from './create-chart-frame.tsx';
import { renderCurves, renderPoints } from './scatter-drawing.tsx';
import { type Tick, thinTicks } from './ticks.ts';

interface ScatterChartProps<Point extends ChartPoint> {
  readonly label: string;
  readonly points: readonly Point[];
  readonly curves: readonly ChartCurve[];
  /** Ticks of the horizontal axis, which has a square-root scale. */
  readonly ticks: readonly Tick[];
  readonly formatAxis: ChartFrameOptions['formatAxis'];
  readonly xTitle?: string;
  readonly yTitle?: string;
  readonly getTooltip: (point: Point) => TooltipContent;
  /** Called when a point is clicked, tapped twice, or selected with Enter. */
  readonly onSelect: (point: Point) => void;
  /** Whether the axes also cover everything drawn before. */
  readonly hasGrowingAxes?: boolean | undefined;
}

type PlotPointerEvent = TargetedPointerEvent<HTMLDivElement>;

const HIT_RADIUS_PIXELS = 40;

/** Points with fitted curves, with a tooltip by mouse, touch or keyboard. */
export function ScatterChart<Point extends ChartPoint>(props: ScatterChartProps<Point>) {
  const { label, getTooltip, onSelect } = props;
  const ref = useRef<HTMLDivElement>(null);
  const width = useElementWidth(ref);
  const points = useMemo(
    () => props.points.toSorted((a, b) => a.x - b.x || a.y - b.y),
    [props.points],
  );
  const xs = useMemo(() => points.map(({ x }) => x), [points]);
  // The height of everything above the chart on the first screen, so that the chart can fill the rest.
  const pixelsAbove = useMemo(
    () => (ref.current?.getBoundingClientRect().top ?? 0) + scrollY,
    [ref, width],
  );
  const frame = useScatterFrame(props, width, pixelsAbove);
  const findPoint = useMemo(() => frame && createPointFinder(points, frame), [points, frame]);
  const drawing = useMemo(
    () =>
      frame && [
        renderAxes(frame),
        renderPoints(points, frame),
        renderCurves(props.curves, frame, points),
      ],
    [frame, points, props.curves],
  );
  const [pointedKey, setPointedKey] = useState<string>();
  const index = useMemo(
    () => points.findIndex(({ key }) => key === pointedKey),
    [points, pointedKey],
  );
  const current = points[index];
  const at = current && frame && { cx: frame.x(current.x), cy: frame.y(current.y) };
  const onClick = (event: TargetedMouseEvent<HTMLDivElement>) => {
    const { pointerType } = event as PlotPointerEvent;
    const point = findPoint?.(event);
    // The first tap shows the tooltip, the second selects the point.
    if (point && (pointerType !== 'touch' || point === current)) onSelect(point);
    else setPointedKey(point?.key);
  };
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <ChartPlot
          label={label}
          frame={frame}
          drawing={drawing}
          xs={xs}
          cursor={current && index}
          defaultCursor={0}
          onCursor={(next) => setPointedKey(points[next ?? -1]?.key)}
          onEnter={() => current && onSelect(current)}
          getTooltip={(pointIndex) => getTooltip(points[pointIndex] as Point)}
          cursorY={at?.cy}
          summary={formatQuantity(points.length, 'point')}
          overlay={at && <circle class="highlighted-point" {...at} r="9" />}
          onPointerMove={(event) => {
            if (event.pointerType !== 'touch') setPointedKey(findPoint?.(event)?.key);
          }}
          onPointerLeave={({ pointerType }) => {
            if (pointerType !== 'touch') setPointedKey(undefined);
          }}
          onClick={onClick}
        />
      )}
    </div>
  );
}

/** Undefined until the width is known, or if there is nothing to draw. */
function useScatterFrame<Point extends ChartPoint>(
  props: ScatterChartProps<Point>,
  width: number,
  pixelsAbove: number,
) {
  const { points, curves, ticks, formatAxis, hasGrowingAxes, xTitle, yTitle } = props;
  const previous = useRef<ScatterDomains | undefined>(undefined);
  return useMemo(() => {
    if (width === 0 || points.length + curves.length === 0) return undefined;
    const { maxX = 0, yDomain = [] } = (hasGrowingAxes && previous.current) || {};
    const computed = computeScatterDomains(points, curves, yDomain);
    const domains = { ...computed, maxX: Math.max(maxX, computed.maxX) };
    previous.current = domains;
    const height = chooseHeight(width, pixelsAbove);
    return createScatterFrame(domains, ticks, { width, height, formatAxis, xTitle, yTitle });
  }, [width, points, curves, ticks, formatAxis, hasGrowingAxes, xTitle, yTitle]);
}

/** Finds the point nearest to the pointer, within reach. */
function createPointFinder<Point extends ChartPoint>(points: readonly Point[], frame: ChartFrame) {
  let [xs, ys]: number[][] = [];
  return ({ currentTarget, clientX, clientY }: TargetedMouseEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    xs ??= points.map((point) => frame.x(point.x));
    ys ??= points.map((point) => frame.y(point.y));
    let [nearest, minDistance] = [-1, HIT_RADIUS_PIXELS];
    let index = xs.findIndex((own) => own > x - HIT_RADIUS_PIXELS);
    for (; index >= 0 && (xs[index] ?? Infinity) < x + HIT_RADIUS_PIXELS; index++) {
      const distance = Math.hypot((xs[index] ?? 0) - x, (ys[index] ?? 0) - y);
      if (distance < minDistance) [nearest, minDistance] = [index, distance];
    }
    return points[nearest];
  };
}

interface ScatterDomains {
  readonly maxX: number;
  readonly yDomain: readonly [number, number];
}

/** The domains that cover all points, curves and further values of the vertical axis. */
function computeScatterDomains(
  points: readonly ChartPoint[],
  curves: readonly ChartCurve[],
  ys: readonly number[],
): ScatterDomains {
  const ends = curves.flatMap((curve) => curve.points);
  const [, maxX] = findExtent([1, ...points.map(({ x }) => x), ...ends.map(([x]) => x)]);
  const yDomain = findExtent([...ys, ...points.map(({ y }) => y), ...ends.map(([, y]) => y)]);
  return { maxX: maxX * 1.02, yDomain };
}

const [MIN_HEIGHT, MAX_HEIGHT] = [420, 640];
/** Between the chart and the end of the first screen. */
const MARGIN_BELOW = 8;
/** The height is less on narrow screens. */
const HEIGHT_PER_WIDTH = 0.95;

function chooseHeight(width: number, pixelsAbove: number): number {
  const rest = Math.max(MIN_HEIGHT, innerHeight - pixelsAbove - MARGIN_BELOW);
  return Math.round(Math.min(MAX_HEIGHT, rest, width * HEIGHT_PER_WIDTH));
}

function createScatterFrame(
  { maxX, yDomain }: ScatterDomains,
  ticks: readonly Tick[],
  options: Omit<ChartFrameOptions, 'xDomain' | 'yDomain' | 'ticks'>,
): ChartFrame {
  const xDomain = [0, maxX] as const;
  const frame = createChartFrame({ ...options, xDomain, yDomain, ticks: () => [] });
  const x = scaleSqrt(xDomain, [frame.left + 8, frame.right - 4]);
  const visibleTicks = ticks.filter(({ value }) => value <= maxX);
  return { ...frame, x, xTicks: thinTicks(visibleTicks, x, 30) };
}
