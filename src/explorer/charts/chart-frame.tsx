import { scaleLinear } from 'd3-scale';
import { memo } from '../components/memo.ts';
import type { CreateTicks, Tick } from './ticks.ts';

/** Where things are drawn: a place in data to a place in pixels. */
export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly number[];
  readonly from: number;
  readonly to: number;
}

export interface ChartFrameOptions {
  readonly width: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly ticks: CreateTicks;
  /** How the vertical axis writes a value: its widest decides where the drawing begins. */
  readonly formatAxis: (value: number) => string;
  /** How many characters it has room for at least: charts with the same stand in one column. */
  readonly minAxisCharacters?: number;
  /** Whether the vertical axis ends where the values do. */
  readonly isDomainFixed?: boolean;
  /** Room before the first place and behind the last, for what is wider than a point. */
  readonly pad?: number;
}

const MARGIN_TOP = 12;
const MARGIN_BOTTOM = 26;
const DIGIT_WIDTH = 6.6;

/** The frame of a drawing with that size and those extents. */
export function createChartFrame({
  width,
  height,
  from,
  to,
  low,
  high,
  ticks,
  formatAxis,
  minAxisCharacters = 0,
  isDomainFixed,
  pad = 0,
}: ChartFrameOptions): ChartFrame {
  const spread = high > low ? [low, high] : [low === 0 ? 0 : low - 1, high + 1];
  const about = Math.max(2, Math.round(height / 52));
  const y = scaleLinear().domain(spread);
  if (!isDomainFixed) y.nice(about);
  const yTicks = y.ticks(about);
  const widest = Math.max(minAxisCharacters, ...yTicks.map((tick) => formatAxis(tick).length));
  const left = Math.ceil(widest * DIGIT_WIDTH) + 14;
  const right = width - 14;
  const bottom = height - MARGIN_BOTTOM;
  y.range([bottom, MARGIN_TOP]);
  const x = scaleLinear()
    .domain(to > from || pad > 0 ? [from - pad, to + pad] : [from - 1, to + 1])
    .range([left, right]);
  const xTicks = thinTicks(ticks(from, to, Math.max(2, Math.floor((right - left) / 84))), x, 46);
  return { width, height, left, right, top: MARGIN_TOP, bottom, x, y, xTicks, yTicks, from, to };
}

/** The ticks that have so much room, from the far end on: the last is what people look for. */
export function thinTicks(ticks: readonly Tick[], x: (at: number) => number, room: number): Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks.toReversed()) {
    const next = kept[0];
    if (!next || x(next.at) - x(tick.at) > room) kept.unshift(tick);
  }
  return kept;
}

interface ChartAxesProps {
  readonly frame: ChartFrame;
  readonly axis: (value: number) => string;
}

/** The grid, and what stands at its lines. Drawn anew only where the frame is another. */
export const ChartAxes = memo(function Axes({ frame, axis }: ChartAxesProps) {
  const { left, right, bottom, x, y, xTicks, yTicks } = frame;
  return (
    <g class="axes">
      {yTicks.map((tick) => (
        <g key={tick} transform={`translate(0 ${roundPixels(y(tick))})`}>
          <line class={tick === 0 ? 'zero' : 'grid'} x1={left} x2={right} />
          <text x={left - 8} dy="0.32em" text-anchor="end">
            {axis(tick)}
          </text>
        </g>
      ))}
      {xTicks.map(({ at, text }, index) => (
        <g key={at} transform={`translate(${roundPixels(x(at))} ${bottom})`}>
          <line class="tick" y2="5" />
          <text y="18" text-anchor={getTextAnchor(x(at), frame, index)}>
            {text}
          </text>
        </g>
      ))}
    </g>
  );
});

/** What stands at an end does not stick out. */
function getTextAnchor(
  at: number,
  { left, width }: ChartFrame,
  place: number,
): 'start' | 'middle' | 'end' {
  if (at > width - 34) return 'end';
  return place === 0 && at < left + 12 ? 'start' : 'middle';
}

/** Enough for any screen, and short to write. */
export function roundPixels(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
