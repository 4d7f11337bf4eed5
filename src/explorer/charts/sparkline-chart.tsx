import { scaleLinear } from 'd3-scale';
import type { ChartFrame } from './chart-frame.tsx';
import { useElementWidth } from './chart-frame.tsx';
import { ChartLayers } from './chart-layers.tsx';
import { buildLayers, type ChartLayout, type ChartLine, getMinSpacing } from './layers.ts';

interface SparklineChartProps {
  readonly xs: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly layout: ChartLayout;
}

const HEIGHT = 84;

export function SparklineChart({ xs, lines, layout }: SparklineChartProps) {
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const layers = buildLayers(lines, layout);
  const values = layers.flatMap(({ upper }) => upper.filter((value) => value !== undefined));
  const padding = layout === 'columns' ? getMinSpacing(xs) / 2 : 0;
  const frame: ChartFrame = {
    ...{ width, height: HEIGHT, left: 2, right: width - 2, top: 3, bottom: HEIGHT - 2 },
    x: scaleLinear([(xs[0] ?? 0) - padding, (xs.at(-1) ?? 0) + padding], [2, width - 2]),
    y: scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [HEIGHT - 2, 3]),
    xTicks: [],
    yTicks: [],
  };
  return (
    <div class="chart" ref={ref}>
      {width > 0 && (
        <svg class="drawing" width={width} height={HEIGHT} aria-hidden="true">
          <ChartLayers {...{ xs, layers, layout, frame }} />
        </svg>
      )}
    </div>
  );
}
