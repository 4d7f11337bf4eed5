import { useMemo, useState } from 'preact/hooks';
import { Drawn } from './drawn.tsx';
import { Axes, type Frame, frameOf } from './frame.tsx';
import { type Layer, type Layout, type Line, layersOf, stepOf } from './layers.ts';
import { Plot } from './plot.tsx';
import { type Reading, Readout } from './readout.tsx';
import type { Ticks } from './ticks.ts';
import { useWidth } from './use-width.ts';

export interface LineChartProps {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Where the points stand, ascending. */
  readonly xs: readonly number[];
  readonly lines: readonly Line[];
  readonly layout?: Layout;
  /** The space between two rows of values, such as bid and ask. */
  readonly band?: { readonly name: string; low: Line['values']; high: Line['values'] } | undefined;
  /** What is read off beside the lines, without being drawn. */
  readonly also?: readonly Pick<Line, 'name' | 'values'>[];
  readonly ticks: Ticks;
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
  const [ref, width] = useWidth<HTMLDivElement>();
  const [own, setOwn] = useState<number>();
  const cursor = props.onCursor ? props.cursor : own;
  const setCursor = props.onCursor ?? setOwn;

  const layers = useMemo(() => layersOf(lines, layout, band), [lines, layout, band]);
  const frame = useMemo((): Frame | undefined => {
    const [from, to] = [xs[0], xs.at(-1)];
    if (width === 0 || from === undefined || to === undefined) return undefined;
    const [low, high] = between ?? extentOf(layers, layout);
    const isExact = between !== undefined;
    const pad = layout === 'columns' ? stepOf(xs) / 2 : 0;
    return frameOf({ width, height, from, to, low, high, ticks, axis, axisRoom, isExact, pad });
  }, [xs, layers, width, height, layout, between, ticks, axis, axisRoom]);
  const reading = cursor === undefined ? undefined : readingAt(props, cursor);
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <Plot
          label={label}
          frame={frame}
          xs={xs}
          cursor={cursor}
          onCursor={setCursor}
          onStretch={props.onStretch}
          words={(index) => spoken(readingAt(props, index))}
        >
          <svg class="drawing" width={frame.width} height={frame.height} aria-hidden="true">
            <Axes frame={frame} axis={axis} />
            <Drawn xs={xs} layers={layers} layout={layout} frame={frame} marks={marks} />
          </svg>
          <svg class="over" width={frame.width} height={frame.height} aria-hidden="true">
            {cursor !== undefined && (
              <Rule frame={frame} at={xs[cursor]} layers={layers} index={cursor} />
            )}
          </svg>
          {reading && (
            <Readout reading={reading} at={frame.x(xs[cursor ?? 0] ?? 0)} frame={frame} />
          )}
        </Plot>
      )}
    </div>
  );

  function readingAt(
    { lines: all, also = [], band: between, marks: stories }: LineChartProps,
    index: number,
  ): Reading {
    const told = [...all, ...also.map((line) => ({ ...line, tone: undefined }))];
    const rows: Reading['rows'][number][] = told.flatMap(({ name, tone, values }) => {
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

function spoken({ title, rows, note }: Reading): string {
  const told = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  return `${title}: ${told || 'no value'}${note ? `. ${note}` : ''}`;
}

function extentOf(layers: readonly Layer[], layout: Layout): [number, number] {
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

interface RuleProps {
  readonly frame: Frame;
  readonly at: number | undefined;
  readonly layers: readonly Layer[];
  readonly index: number;
}

function Rule({ frame, at, layers, index }: RuleProps) {
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
