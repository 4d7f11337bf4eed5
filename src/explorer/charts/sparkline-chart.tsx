import type { ChartFrame } from './chart-frame.tsx';
import { ChartLayers } from './chart-layers.tsx';
import { buildLayers, type ChartLayout, type ChartLine, getMinSpacing } from './layers.ts';
import { useElementWidth } from './use-element-width.ts';

interface SparklineChartProps {
  readonly xs: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly layout: ChartLayout;
  readonly height?: number;
}

/** A small chart without axes: a glance at the shape, for those who see it. */
export function SparklineChart({ xs, lines, layout, height = 84 }: SparklineChartProps) {
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const layers = buildLayers(lines, layout);
  const tops = layers.flatMap(({ upper }) => upper.filter((value) => value !== undefined));
  const [low, high] = [Math.min(0, ...tops), Math.max(0, ...tops)];
  return (
    <div class="chart spark" ref={ref}>
      {width > 0 && (
        <svg class="drawing" width={width} height={height} aria-hidden="true">
          <ChartLayers
            xs={xs}
            layers={layers}
            layout={layout}
            frame={createSparklineFrame(xs, width, height, low, high, layout === 'columns')}
          />
        </svg>
      )}
    </div>
  );
}

function createSparklineFrame(
  xs: readonly number[],
  width: number,
  height: number,
  low: number,
  high: number,
  isPadded: boolean,
): ChartFrame {
  const pad = isPadded ? getMinSpacing(xs) / 2 : 0;
  const [from, to] = [(xs[0] ?? 0) - pad, (xs.at(-1) ?? 0) + pad];
  const [left, right, top, bottom] = [2, width - 2, 3, height - 2];
  const scaled = (at: number, a: number, b: number, start: number, end: number) =>
    b > a ? start + ((at - a) / (b - a)) * (end - start) : (start + end) / 2;
  return {
    ...{ width, height, left, right, top, bottom, from, to, xTicks: [], yTicks: [] },
    x: (at) => scaled(at, from, to, left, right),
    y: (value) => scaled(value, low, high, bottom, top),
  };
}
