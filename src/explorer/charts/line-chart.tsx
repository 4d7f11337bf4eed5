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
  readonly tooltipOnly?: readonly Pick<ChartLine, 'name' | 'values'>[];
  readonly ticks: CreateTicks;
  /** How a value is written at the axis, and where it is read off. */
  readonly formatAxis: (value: number) => string;
  readonly format: (value: number) => string;
  /** How many characters the vertical axis has room for at least, where several stand in a column. */
  readonly minAxisCharacters?: number;
  /** What a point is called: a day, a period. */
  readonly getPointLabel: (index: number) => string;
  /** Points with a story, told where they are read off. */
  readonly pointNotes?: ReadonlyMap<number, string> | undefined;
  readonly height?: number;
  /** Where the vertical axis ends, where that is not up to the values. */
  readonly yDomain?: readonly [number, number] | undefined;
  /** The point that is read off, where several charts share it. */
  readonly cursor?: number | undefined;
  readonly onCursor?: (index: number | undefined) => void;
  /** Called with the first and last point of a stretch that was drawn over. */
  readonly onRangeSelect?: ((from: number, to: number) => void) | undefined;
}

/** Values over time: lines, areas upon each other, or bars. To be read off by mouse, finger or keys. */
export function LineChart(props: LineChartProps) {
  const { label, xs, lines, layout = 'lines', band, pointNotes, height = 280, yDomain } = props;
  const { ticks, formatAxis, minAxisCharacters = 0, format, getPointLabel } = props;
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [own, setOwn] = useState<number>();
  const cursor = props.onCursor ? props.cursor : own;
  const setCursor = props.onCursor ?? setOwn;

  const layers = useMemo(() => buildLayers(lines, layout, band), [lines, layout, band]);
  const frame = useMemo((): ChartFrame | undefined => {
    const [from, to] = [xs[0], xs.at(-1)];
    if (width === 0 || from === undefined || to === undefined) return undefined;
    const [low, high] = yDomain ?? computeExtent(layers, layout);
    const isExact = yDomain !== undefined;
    const pad = layout === 'columns' ? getMinSpacing(xs) / 2 : 0;
    return createChartFrame({
      width,
      height,
      from,
      to,
      low,
      high,
      ticks,
      formatAxis,
      minAxisCharacters,
      isDomainFixed: isExact,
      pad,
    });
  }, [xs, layers, width, height, layout, yDomain, ticks, formatAxis, minAxisCharacters]);
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
          onRangeSelect={props.onRangeSelect}
          describePoint={(index) => toAriaText(readingAt(props, index))}
        >
          <svg class="drawing" width={frame.width} height={frame.height} aria-hidden="true">
            <ChartAxes frame={frame} axis={formatAxis} />
            <ChartLayers xs={xs} layers={layers} layout={layout} frame={frame} marks={pointNotes} />
          </svg>
          <svg class="overlay" width={frame.width} height={frame.height} aria-hidden="true">
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
    { lines: all, tooltipOnly = [], band: between, pointNotes: stories }: LineChartProps,
    index: number,
  ): TooltipContent {
    const told = [...all, ...tooltipOnly.map((line) => ({ ...line, colorIndex: undefined }))];
    const rows: TooltipContent['rows'][number][] = told.flatMap(({ name, colorIndex, values }) => {
      const value = values[index];
      return value === undefined ? [] : [{ name, colorIndex, text: format(value) }];
    });
    const [low, high] = [between?.low[index], between?.high[index]];
    if (between && low !== undefined && high !== undefined) {
      rows.push({ name: between.name, colorIndex: 0, text: `${format(low)} to ${format(high)}` });
    }
    return { title: getPointLabel(index), rows, note: stories?.get(index) };
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
    <g class="cursor-line">
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} />
      {layers.map(({ name, colorIndex, upper, isBand }) => {
        const value = upper[index];
        if (value === undefined || isBand) return null;
        return <circle key={name} class={`color-${colorIndex}`} cx={x} cy={frame.y(value)} r="4" />;
      })}
    </g>
  );
}
