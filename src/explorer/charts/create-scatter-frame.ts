import { scaleSqrt } from 'd3-scale';
import type { ChartCurve, ChartFrame, ChartPoint } from './chart-data.ts';
import { type ChartFrameOptions, createChartFrame } from './create-chart-frame.tsx';
import { type Tick, thinTicks } from './ticks.ts';

export interface ScatterDomains {
  readonly maxX: number;
  readonly yDomain: readonly [number, number];
}

/** The domains that cover all points and curves, and further values of the vertical axis. */
export function computeScatterDomains(
  points: readonly ChartPoint[],
  curves: readonly ChartCurve[],
  ys: readonly number[] = [],
): ScatterDomains {
  let maxX = 1;
  let [low, high] = [Infinity, -Infinity];
  const cover = (y: number) => {
    low = Math.min(low, y);
    high = Math.max(high, y);
  };
  for (const { x, y } of points) {
    maxX = Math.max(maxX, x);
    cover(y);
  }
  for (const curve of curves) for (const [, y] of curve.points) cover(y);
  ys.forEach(cover);
  return { maxX: maxX * 1.02, yDomain: [low, high] };
}

export function uniteDomains(a: ScatterDomains, b: ScatterDomains): ScatterDomains {
  return {
    maxX: Math.max(a.maxX, b.maxX),
    yDomain: [Math.min(a.yDomain[0], b.yDomain[0]), Math.max(a.yDomain[1], b.yDomain[1])],
  };
}

interface ScatterFrameOptions
  extends Omit<ChartFrameOptions, 'height' | 'xDomain' | 'yDomain' | 'ticks'> {
  readonly domains: ScatterDomains;
  readonly ticks: readonly Tick[];
}

/** At most so high, and less on narrow screens. */
const MAX_HEIGHT = 420;
const HEIGHT_PER_WIDTH = 0.95;

export function createScatterFrame(options: ScatterFrameOptions): ChartFrame {
  const { domains, ticks, width } = options;
  const { maxX, yDomain } = domains;
  const height = Math.round(Math.min(MAX_HEIGHT, width * HEIGHT_PER_WIDTH));
  const frame = createChartFrame({
    ...{ ...options, height, yDomain },
    xDomain: [0, maxX],
    ticks: () => [],
  });
  const x = scaleSqrt()
    .domain([0, maxX])
    .range([frame.left + 8, frame.right - 4]);
  const visibleTicks = ticks.filter(({ value }) => value <= maxX);
  return { ...frame, x, xTicks: thinTicks(visibleTicks, x, 30) };
}
