import { Drawn } from '../charts/drawn.tsx';
import type { Frame } from '../charts/frame.tsx';
import { type Layout, type Line, layersOf, stepOf } from '../charts/layers.ts';
import { useWidth } from '../charts/use-width.ts';

interface SparkProps {
  readonly xs: readonly number[];
  readonly lines: readonly Line[];
  readonly layout: Layout;
  readonly height?: number;
}

/** A small chart without axes: a glance at the shape, for those who see it. */
export function Spark({ xs, lines, layout, height = 84 }: SparkProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const layers = layersOf(lines, layout);
  const tops = layers.flatMap(({ upper }) => upper.filter((value) => value !== undefined));
  const [low, high] = [Math.min(0, ...tops), Math.max(0, ...tops)];
  return (
    <div class="chart spark" ref={ref}>
      {width > 0 && (
        <svg class="drawing" width={width} height={height} aria-hidden="true">
          <Drawn
            xs={xs}
            layers={layers}
            layout={layout}
            frame={frameOf(xs, width, height, low, high, layout === 'columns')}
          />
        </svg>
      )}
    </div>
  );
}

function frameOf(
  xs: readonly number[],
  width: number,
  height: number,
  low: number,
  high: number,
  isPadded: boolean,
): Frame {
  const pad = isPadded ? stepOf(xs) / 2 : 0;
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
