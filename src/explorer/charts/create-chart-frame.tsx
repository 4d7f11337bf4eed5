import { scaleLinear } from 'd3-scale';
import type { ChartFrame } from './chart-data.ts';
import { type CreateTicks, DIGIT_WIDTH, type Tick } from './ticks.ts';

export interface ChartFrameOptions
  extends Pick<ChartFrame, 'width' | 'height' | 'xTitle' | 'yTitle'> {
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
  readonly ticks: CreateTicks;
  /** The widest label of the vertical axis determines the left margin. */
  readonly formatAxis: (ticks: readonly number[]) => string[];
  /** Room for at least this many characters, to align charts in one column. */
  readonly minAxisCharacters?: number | undefined;
  /** Room for the names to the right of the lines. */
  readonly labelWidth?: number;
  /** Extends the horizontal axis at both ends, for columns. */
  readonly padding?: number;
}

const MARGIN_TOP = 12;
const MARGIN_BOTTOM = 26;
/** For a title and for a second row of labels. */
const LINE_HEIGHT = 15;

export function createChartFrame(options: ChartFrameOptions): ChartFrame {
  const { width, height, formatAxis, minAxisCharacters = 0, padding = 0 } = options;
  const { xTitle, yTitle } = options;
  const y = createYScale(options);
  const yTicks = y.ticks(getYTickCount(height));
  const yLabels = formatAxis(yTicks);
  const widest = Math.max(minAxisCharacters, ...yLabels.map(({ length }) => length));
  const left = Math.ceil(widest * DIGIT_WIDTH) + 14;
  const right = width - 14 - (options.labelWidth ?? 0);
  const [from, to] = options.xDomain;
  const x = scaleLinear()
    .domain(to > from || padding > 0 ? [from - padding, to + padding] : [from - 1, to + 1])
    .range([left, right]);
  const xTicks = options.ticks(from, to, right - left);
  const hasGroups = xTicks.some(({ group }) => group !== undefined);
  const top = MARGIN_TOP + (yTitle ? LINE_HEIGHT : 0);
  const bottom = height - MARGIN_BOTTOM - (hasGroups || xTitle ? LINE_HEIGHT : 0);
  y.range([bottom, top]);
  return { width, height, left, right, top, bottom, x, y, xTicks, yTicks, yLabels, xTitle, yTitle };
}

function getYTickCount(height: number): number {
  return Math.max(2, Math.min(8, Math.round(height / 52)));
}

function createYScale({ yDomain: [low, high], height }: ChartFrameOptions) {
  const y = scaleLinear().domain(high > low ? [low, high] : [low === 0 ? 0 : low - 1, high + 1]);
  return y.nice(getYTickCount(height));
}

export function renderAxes(frame: ChartFrame) {
  const { left, right, height, y, yTicks, yLabels, xTitle, yTitle } = frame;
  return (
    <g>
      {yTitle && (
        <text class="axis-title" x={0} y={MARGIN_TOP}>
          {yTitle}
        </text>
      )}
      {yTicks.map((tick, index) => (
        <g key={tick} transform={`translate(0 ${roundPixels(y(tick))})`}>
          <line class={tick === 0 ? 'zero' : 'grid'} x1={left} x2={right} />
          <text x={left - 8} dy="0.32em" text-anchor="end">
            {yLabels[index]}
          </text>
        </g>
      ))}
      {frame.xTicks.map((tick, index) => renderXTick(frame, tick, index))}
      {xTitle && (
        <text class="axis-title" x={right} y={height - 4} text-anchor="end">
          {xTitle}
        </text>
      )}
    </g>
  );
}

function renderXTick(frame: ChartFrame, { value, label, group }: Tick, index: number) {
  const { width, bottom, xTicks } = frame;
  const x = frame.x(value);
  const halfWidth = (Math.max(label.length, group?.length ?? 0) * DIGIT_WIDTH) / 2;
  const anchor = x + halfWidth > width ? 'end' : x < halfWidth ? 'start' : 'middle';
  return (
    <g key={value} transform={`translate(${roundPixels(x)} ${bottom})`}>
      <line class="tick" y2="5" />
      <text y="18" text-anchor={anchor}>
        {label}
      </text>
      {group !== undefined && group !== xTicks[index - 1]?.group && (
        <text class="tick-group" y={18 + LINE_HEIGHT} text-anchor={anchor}>
          {group}
        </text>
      )}
    </g>
  );
}

export function roundPixels(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
