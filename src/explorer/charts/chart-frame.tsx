import { scaleLinear, scaleUtc } from 'd3-scale';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MONTH_ABBREVIATIONS } from '../../calendar.ts';

/** The size and margins of a chart, and its scales from data to pixels. */
export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly number[];
}

interface ChartFrameOptions {
  readonly width: number;
  readonly height: number;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
  readonly ticks: CreateTicks;
  /** The widest label of the vertical axis determines the left margin. */
  readonly formatAxis: (value: number) => string;
  /** Room for at least so many characters: aligns charts that stand in one column. */
  readonly minAxisCharacters?: number | undefined;
  /** Whether the vertical axis ends exactly at `yDomain`, rather than at a round value. */
  readonly isDomainFixed?: boolean;
  /** Extends the horizontal axis at both ends, for columns. */
  readonly padding?: number;
}

const MARGIN_TOP = 12;
const MARGIN_BOTTOM = 26;
const DIGIT_WIDTH = 6.6;

export function createChartFrame(options: ChartFrameOptions): ChartFrame {
  const { width, height, formatAxis, minAxisCharacters = 0, isDomainFixed, padding = 0 } = options;
  const [low, high] = options.yDomain;
  const yTickCount = Math.max(2, Math.round(height / 52));
  const y = scaleLinear().domain(high > low ? [low, high] : [low === 0 ? 0 : low - 1, high + 1]);
  if (!isDomainFixed) y.nice(yTickCount);
  const yTicks = y.ticks(yTickCount);
  const widest = Math.max(minAxisCharacters, ...yTicks.map((tick) => formatAxis(tick).length));
  const left = Math.ceil(widest * DIGIT_WIDTH) + 14;
  const right = width - 14;
  const bottom = height - MARGIN_BOTTOM;
  y.range([bottom, MARGIN_TOP]);
  const [from, to] = options.xDomain;
  const x = scaleLinear()
    .domain(to > from || padding > 0 ? [from - padding, to + padding] : [from - 1, to + 1])
    .range([left, right]);
  const ticks = options.ticks(from, to, Math.max(2, Math.floor((right - left) / 84)));
  const xTicks = thinTicks(ticks, x, 46);
  return { width, height, left, right, top: MARGIN_TOP, bottom, x, y, xTicks, yTicks };
}

/** Drops ticks closer than `minDistance` pixels, from the last tick, which is always kept. */
export function thinTicks(
  ticks: readonly Tick[],
  x: (value: number) => number,
  minDistance: number,
): Tick[] {
  const remaining: Tick[] = [];
  for (const tick of ticks.toReversed()) {
    const next = remaining[0];
    if (!next || x(next.value) - x(tick.value) > minDistance) remaining.unshift(tick);
  }
  return remaining;
}

export function renderAxes(frame: ChartFrame, formatAxis: (value: number) => string) {
  const { left, right, width, bottom, x, y, xTicks, yTicks } = frame;
  const getTextAnchor = (position: number, index: number) => {
    if (position > width - 34) return 'end';
    return index === 0 && position < left + 12 ? 'start' : 'middle';
  };
  return (
    <g>
      {yTicks.map((tick) => (
        <g key={tick} transform={`translate(0 ${roundPixels(y(tick))})`}>
          <line class={tick === 0 ? 'zero' : 'grid'} x1={left} x2={right} />
          <text x={left - 8} dy="0.32em" text-anchor="end">
            {formatAxis(tick)}
          </text>
        </g>
      ))}
      {xTicks.map(({ value, label }, index) => (
        <g key={value} transform={`translate(${roundPixels(x(value))} ${bottom})`}>
          <line class="tick" y2="5" />
          <text y="18" text-anchor={getTextAnchor(x(value), index)}>
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

export function roundPixels(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Creates about `count` ticks between two values of a horizontal axis. */
export type CreateTicks = (from: number, to: number, count: number) => Tick[];

/** Ticks on an axis of instants, in UTC: years, months or days. */
export const createDayTicks: CreateTicks = (from, to, count) => {
  const dates = scaleUtc()
    .domain([new Date(from), new Date(to)])
    .ticks(Math.max(3, count))
    .filter((date) => date.getUTCHours() === 0);
  return dates.map((date) => ({ value: date.getTime(), label: formatDayTick(date) }));
};

function formatDayTick(date: Date): string {
  const month = MONTH_ABBREVIATIONS[date.getUTCMonth()] ?? '';
  if (date.getUTCDate() !== 1) return `${date.getUTCDate()} ${month}`;
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : month;
}

/** Ticks on an axis of period ordinals. The newest period always has one. */
export const createPeriodTicks =
  (getLabel: (ordinal: number) => string): CreateTicks =>
  (from, to, count) => {
    const step = Math.max(1, Math.ceil((to - from + 1) / Math.max(1, count)));
    const ticks: Tick[] = [];
    for (let value = to; value >= from; value -= step) {
      ticks.unshift({ value, label: getLabel(value) });
    }
    return ticks;
  };

/** The current width of an element, in whole pixels; 0 until it is measured. */
export function useElementWidth<E extends Element>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
