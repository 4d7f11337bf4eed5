import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useRef } from 'preact/hooks';
import { useElementWidth } from '../components/use-element-width.ts';
import {
  buildLayers,
  type ChartFrame,
  type ChartLayer,
  type ChartLayout,
  type ChartLine,
  computeExtent,
  getMinSpacing,
} from './chart-data.ts';
import { roundPixels } from './create-chart-frame.tsx';

interface ChartLayersProps {
  readonly xs: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly layout: ChartLayout;
  readonly frame: ChartFrame;
}

export function ChartLayers({ xs, layers, layout, frame }: ChartLayersProps) {
  const positions = xs.map((x) => roundPixels(frame.x(x)));
  const barWidth = getBarWidth(xs, layout, frame);
  return (
    <g>
      {layers.map((layer) => (
        <g key={layer.name} class={`layer color-${layer.colorIndex}`} data-name={layer.name}>
          {barWidth === undefined ? (
            renderLine(positions, layer, frame)
          ) : (
            <path class="bars" d={buildBarsPath(positions, layer, frame)} stroke-width={barWidth} />
          )}
        </g>
      ))}
      {layers.map((layer) => renderMarks(positions, layer, frame))}
      {layers.some(hasMarks) && renderMarkKey(frame)}
    </g>
  );
}

/** Undefined for layouts without bars. */
function getBarWidth(
  xs: readonly number[],
  layout: ChartLayout,
  { left, right, x }: ChartFrame,
): number | undefined {
  if (layout === 'bars')
    return Math.max(1, Math.min(24, ((right - left) / Math.max(1, xs.length)) * 0.7));
  if (layout !== 'columns') return undefined;
  return Math.max(1, Math.min(72, (x(getMinSpacing(xs)) - x(0)) * 0.72));
}

type Positions = readonly number[];

function renderLine(positions: Positions, layer: ChartLayer, frame: ChartFrame) {
  const { upper, lower, isBand, isConnected, isStepped } = layer;
  const isDefined = (value: number | undefined) => value !== undefined;
  const getY = (value: number | undefined) => frame.y(value ?? 0);
  const buildArea = area<number | undefined>()
    .digits(2)
    .defined((value, index) => isDefined(value) && isDefined(lower?.[index]))
    .x((_, index) => positions[index] ?? 0)
    .y0((_, index) => getY(lower?.[index]))
    .y1(getY);
  const points = upper
    .map((value, index): LinePoint => ({ x: positions[index] ?? 0, value }))
    .filter(({ value }) => !isConnected || isDefined(value));
  const buildLine = line<LinePoint>()
    .digits(2)
    .defined(({ value }) => isDefined(value))
    .x(({ x }) => x)
    .y(({ value }) => getY(value));
  const path = isStepped ? buildStepPath(points, frame) : buildLine(points);
  const dotted = isStepped ? points.slice(0, 1) : points;
  return (
    <>
      {lower && <path class={isBand ? 'band' : 'area'} d={buildArea([...upper]) ?? ''} />}
      {!isBand && <path class="line" d={path ?? ''} />}
      {!isBand && <path class="isolated-point" d={buildIsolatedPointsPath(dotted, frame)} />}
    </>
  );
}

interface LinePoint {
  readonly x: number;
  readonly value: number | undefined;
}

/** A step for each value, up to the next point; a gap after a point without a value. */
function buildStepPath(points: readonly LinePoint[], { y }: ChartFrame): string {
  return points
    .map(({ x, value }, index) => {
      if (value === undefined) return '';
      const top = roundPixels(y(value));
      const start = points[index - 1]?.value === undefined ? `M${x},${top}` : `V${top}`;
      return `${start}H${points[index + 1]?.x ?? x}`;
    })
    .join('');
}

/** A dot for each point without neighbours, which a line does not show. */
function buildIsolatedPointsPath(points: readonly LinePoint[], { y }: ChartFrame): string {
  return points
    .map(({ x, value }, index) => {
      const neighbours = [points[index - 1]?.value, points[index + 1]?.value];
      const isIsolated = neighbours.every((neighbour) => neighbour === undefined);
      return value === undefined || !isIsolated ? '' : `M${x},${roundPixels(y(value))}h0`;
    })
    .join('');
}

/** All bars in one path, because thousands of elements would be slow. */
function buildBarsPath(
  positions: Positions,
  { upper, lower }: ChartLayer,
  { y }: ChartFrame,
): string {
  return upper
    .map((value, index) => {
      const base = lower?.[index] ?? 0;
      if (value === undefined || value === base) return '';
      return `M${positions[index]},${roundPixels(y(base))}V${roundPixels(y(value))}`;
    })
    .join('');
}

const hasMarks = ({ upper, marks }: ChartLayer) =>
  [...(marks ?? [])].some((index) => upper[index] !== undefined);

/** Explains the rings, above the right end of the chart. */
function renderMarkKey({ right }: ChartFrame) {
  return (
    <g class="mark-key" transform={`translate(${right} 8)`}>
      <circle cx="-64" r="4" />
      <text y="4" text-anchor="end">
        corrected
      </text>
    </g>
  );
}

function renderMarks(positions: Positions, { name, upper, marks }: ChartLayer, { y }: ChartFrame) {
  return [...(marks ?? [])].map((index) => {
    const value = upper[index];
    if (value === undefined) return null;
    return (
      <circle
        key={`${name} ${index}`}
        class="correction-mark"
        cx={positions[index]}
        cy={roundPixels(y(value))}
        r="5"
      />
    );
  });
}

interface SparklineChartProps extends Pick<ChartLayersProps, 'xs' | 'layout'> {
  readonly lines: readonly ChartLine[];
}

const HEIGHT = 84;

export function SparklineChart({ xs, lines, layout }: SparklineChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const width = useElementWidth(ref);
  const layers = buildLayers(lines, layout);
  const padding = layout === 'columns' ? getMinSpacing(xs) / 2 : 0;
  const frame: ChartFrame = {
    width,
    height: HEIGHT,
    left: 2,
    right: width - 2,
    top: 3,
    bottom: HEIGHT - 2,
    x: scaleLinear([(xs[0] ?? 0) - padding, (xs.at(-1) ?? 0) + padding], [2, width - 2]),
    y: scaleLinear(computeExtent(layers, layout), [HEIGHT - 2, 3]),
    xTicks: [],
    yTicks: [],
    yLabels: [],
  };
  return (
    <div class="chart" ref={ref}>
      {width > 0 && (
        <svg
          class="drawing"
          viewBox={`0 0 ${width} ${HEIGHT}`}
          width={width}
          height={HEIGHT}
          aria-hidden="true"
        >
          <ChartLayers xs={xs} layers={layers} layout={layout} frame={frame} />
        </svg>
      )}
    </div>
  );
}
