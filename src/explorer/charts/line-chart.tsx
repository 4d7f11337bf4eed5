import { useMemo, useState } from 'preact/hooks';
import { ChartAxes, type ChartFrame, createChartFrame } from './chart-frame.tsx';
import { ChartLayers } from './chart-layers.tsx';
import { InteractivePlot } from './interactive-plot.tsx';
import {
  buildLayers,
  type ChartLayer,
  type ChartLayout,
  type ChartLine,
  getMinSpacing,
} from './layers.ts';
import type { CreateTicks } from './ticks.ts';
import { Tooltip, type TooltipContent } from './tooltip.tsx';
import { useElementWidth } from './use-element-width.ts';

export interface LineChartProps {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Where the points stand, ascending. */
  readonly xs: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly layout?: ChartLayout;
  /** The space between two rows of values, such as bid and ask. */
  readonly band?:
    | { readonly name: string; low: ChartLine['values']; high: ChartLine['values'] }
    | undefined;
  /** What is read off beside the lines, without being drawn. */
  readonly also?: readonly Pick<ChartLine, 'name' | 'values'>[];
  readonly ticks: CreateTicks;
  /** How a value is written at the axis, and where it is read off. */
  readonly axis: (value: number) => string;
  readonly format: (value: number) => string;
  /** How many characters the vertical axis has room for at least, where several stand in a column. */
  readonly axisRoom?: number;
  /** What a point is called: a day, a period. */
  readonly nameOf: (index: number) => string;
  /** Points with a story, told where they are read off. */
  readonly marks?: ReadonlyMap<number, string> | undefined;
  readonly height?: number;
  /** Where the vertical axis ends, where that is not up to the values. */
  readonly between?: readonly [number, number] | undefined;
  /** The point that is read off, where several charts share it. */
  readonly cursor?: number | undefined;
  readonly onCursor?: (index: number | undefined) => void;
  /** Called with the first and last point of a stretch that was drawn over. */
  readonly onStretch?: ((from: number, to: number) => void) | undefined;
}

/** Values over time: lines, areas upon each other, or bars. To be read off by mouse, finger or keys. */
export function LineChart(props: LineChartProps) {
  const { label, xs, lines, layout = 'lines', band, marks, height = 280, between } = props;
  const { ticks, axis, axisRoom = 0, format, nameOf } = props;
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [own, setOwn] = useState<number>();
  const cursor = props.onCursor ? props.cursor : own;
  const setCursor = props.onCursor ?? setOwn;

  const layers = useMemo(() => buildLayers(lines, layout, band), [lines, layout, band]);
  const frame = useMemo((): ChartFrame | undefined => {
    const [from, to] = [xs[0], xs.at(-1)];
    if (width === 0 || from === undefined || to === undefined) return undefined;
    const [low, high] = between ?? computeExtent(layers, layout);
    const isExact = between !== undefined;
    const pad = layout === 'columns' ? getMinSpacing(xs) / 2 : 0;
    return createChartFrame({
      width,
      height,
      from,
      to,
      low,
      high,
      ticks,
      axis,
      axisRoom,
      isExact,
      pad,
    });
  }, [xs, layers, width, height, layout, between, ticks, axis, axisRoom]);
  const reading = cursor === undefined ? undefined : readingAt(props, cursor);
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <InteractivePlot
          label={label}
          frame={frame}
          xs={xs}
          cursor={cursor}
          onCursor={setCursor}
          onStretch={props.onStretch}
          words={(index) => toAriaText(readingAt(props, index))}
        >
          <svg class="drawing" width={frame.width} height={frame.height} aria-hidden="true">
            <ChartAxes frame={frame} axis={axis} />
            <ChartLayers xs={xs} layers={layers} layout={layout} frame={frame} marks={marks} />
          </svg>
          <svg class="over" width={frame.width} height={frame.height} aria-hidden="true">
            {cursor !== undefined && (
              <CursorLine frame={frame} at={xs[cursor]} layers={layers} index={cursor} />
            )}
          </svg>
          {reading && (
            <Tooltip reading={reading} at={frame.x(xs[cursor ?? 0] ?? 0)} frame={frame} />
          )}
        </InteractivePlot>
      )}
    </div>
  );

  function readingAt(
    { lines: all, also = [], band: between, marks: stories }: LineChartProps,
    index: number,
  ): TooltipContent {
    const told = [...all, ...also.map((line) => ({ ...line, tone: undefined }))];
    const rows: TooltipContent['rows'][number][] = told.flatMap(({ name, tone, values }) => {
      const value = values[index];
      return value === undefined ? [] : [{ name, tone, text: format(value) }];
    });
    const [low, high] = [between?.low[index], between?.high[index]];
    if (between && low !== undefined && high !== undefined) {
      rows.push({ name: between.name, tone: 0, text: `${format(low)} to ${format(high)}` });
    }
    return { title: nameOf(index), rows, note: stories?.get(index) };
  }
}

function toAriaText({ title, rows, note }: TooltipContent): string {
  const told = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  return `${title}: ${told || 'no value'}${note ? `. ${note}` : ''}`;
}

function computeExtent(layers: readonly ChartLayer[], layout: ChartLayout): [number, number] {
  let [low, high] = layout === 'lines' ? [Infinity, -Infinity] : [0, 0];
  for (const { lower, upper } of layers) {
    for (const values of [lower, upper]) {
      for (const value of values ?? []) {
        if (value === undefined) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

interface CursorLineProps {
  readonly frame: ChartFrame;
  readonly at: number | undefined;
  readonly layers: readonly ChartLayer[];
  readonly index: number;
}

function CursorLine({ frame, at, layers, index }: CursorLineProps) {
  if (at === undefined) return null;
  const x = frame.x(at);
  return (
    <g class="rule">
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} />
      {layers.map(({ name, tone, upper, isBand }) => {
        const value = upper[index];
        if (value === undefined || isBand) return null;
        return <circle key={name} class={`tone-${tone}`} cx={x} cy={frame.y(value)} r="4" />;
      })}
    </g>
  );
}
