import type { TargetedPointerEvent } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useElementWidth } from '../components/use-element-width.ts';
import { formatTicks } from '../formatting/numbers.ts';
import {
  buildLayers,
  type ChartCurve,
  type ChartFrame,
  type ChartInfo,
  type ChartLayer,
  type ChartLayout,
  computeExtent,
  getMinSpacing,
} from './chart-data.ts';
import { ChartLayers } from './chart-layers.tsx';
import { ChartPlot, type ChartPlotProps, type TooltipContent } from './chart-plot.tsx';
import { listColumns } from './chart-table.ts';
import { createChartFrame, renderAxes } from './create-chart-frame.tsx';
import type { ChartMark } from './legend.tsx';
import { LABEL_CHARACTER_WIDTH, layOutLabels } from './scatter-layout.ts';
import type { CreateTicks } from './ticks.ts';
import { useChartTables } from './use-chart-tables.ts';

export interface LineChartProps extends ChartInfo {
  readonly label: string;
  /** Horizontal values of the points, ascending. */
  readonly xs: readonly number[];
  readonly ticks: CreateTicks;
  readonly minAxisCharacters?: number;
  readonly getPointLabel: (index: number) => string;
  readonly height: number;
  readonly yTitle?: string | undefined;
  /** The labels of the points as the service writes them, and the unit, for files of the chart. */
  readonly labels?: readonly string[];
  readonly unit?: string;
  readonly keyName?: string;
  /** The lines with their names at their ends; names without a line only reserve room. */
  readonly labelNames?: readonly string[] | undefined;
  /** Index of the point with the tooltip, if several charts share it. */
  readonly cursor?: number | undefined;
  readonly onCursor?: (index: number | undefined) => void;
  readonly onRangeSelect?: ((from: number, to: number) => void) | undefined;
}

const NO_NAMES: readonly string[] = [];

/** Values over time: lines, stacked areas or bars, with a tooltip by mouse, touch or keyboard. */
export function LineChart(props: LineChartProps) {
  const { label, xs, lines, layout, band, height, yDomain } = props;
  const { ticks, minAxisCharacters, yTitle, labelNames = NO_NAMES, onRangeSelect } = props;
  const labelKey = labelNames.join();
  const { labels = [], unit = '', keyName } = props;
  useChartTables(() => [{ keys: labels, keyName, columns: listColumns(lines, band, unit) }]);
  const ref = useRef<HTMLDivElement>(null);
  const width = useElementWidth(ref);
  const [ownCursor, setOwnCursor] = useState<number>();
  const cursor = props.onCursor ? props.cursor : ownCursor;
  const layers = useMemo(() => buildLayers(lines, layout, band), [lines, layout, band]);
  const frame = useMemo(() => {
    const [from, to] = [xs[0], xs.at(-1)];
    if (width === 0 || from === undefined || to === undefined) return undefined;
    return createChartFrame({
      width,
      height,
      ticks,
      minAxisCharacters,
      yTitle,
      formatAxis: formatTicks,
      xDomain: [from, to],
      yDomain: yDomain ?? computeExtent(layers, layout),
      padding: layout === 'columns' ? getMinSpacing(xs) / 2 : 0,
      labelWidth: getLabelWidth(labelNames, width),
    });
  }, [xs, layers, width, height, layout, yDomain, ticks, minAxisCharacters, yTitle, labelKey]);
  const drawing = useMemo(
    () =>
      frame && (
        <>
          {renderAxes(frame)}
          <ChartLayers xs={xs} layers={layers} layout={layout} frame={frame} />
          {renderLineLabels(labelNames, layers, xs, frame)}
        </>
      ),
    [frame, xs, layers, layout, labelKey],
  );
  return (
    <div class="chart" ref={ref}>
      {frame && (
        <LinePlot
          label={label}
          frame={frame}
          xs={xs}
          cursor={cursor}
          onRangeSelect={onRangeSelect}
          drawing={drawing}
          onCursor={props.onCursor ?? setOwnCursor}
          getTooltip={(index) => buildTooltip(props, index)}
          cursorY={frame && cursor !== undefined ? getCursorY(layers, cursor, frame) : undefined}
          overlay={cursor !== undefined && renderCursorLine(frame, xs[cursor] ?? 0, layers, cursor)}
        />
      )}
    </div>
  );
}

function buildTooltip(props: LineChartProps, index: number): TooltipContent {
  const { lines, tooltipOnly = [], band, pointNotes, format, getPointLabel } = props;
  const mark = getLayoutMark(props.layout);
  const all = [...lines, ...tooltipOnly.map((line) => ({ ...line, colorIndex: undefined }))];
  const rows: TooltipContent['rows'][number][] = all.flatMap(
    ({ name, colorIndex, values, texts }) => {
      const value = values[index];
      return value === undefined
        ? []
        : [{ name, colorIndex, mark, text: texts?.[index] ?? format(value) }];
    },
  );
  const [low, high] = [band?.low[index], band?.high[index]];
  if (band && low !== undefined && high !== undefined)
    rows.push({ name: band.name, colorIndex: 0, text: `${format(low)} to ${format(high)}` });
  return { title: getPointLabel(index), rows, note: pointNotes?.get(index) };
}

export function getLayoutMark(layout: ChartLayout): ChartMark {
  return layout === 'lines' ? 'line' : 'area';
}

/** The height of the highest value at the cursor. */
function getCursorY(layers: readonly ChartLayer[], index: number, { y, bottom }: ChartFrame) {
  const values = layers.flatMap(({ upper }) => upper[index] ?? []);
  return values.length === 0 ? bottom : y(Math.max(...values));
}

/** 0 if labels would take a quarter of the chart, which then has only the legend. */
function getLabelWidth(names: readonly string[], width: number): number {
  const longest = Math.max(0, ...names.map(({ length }) => length));
  const labelWidth = Math.ceil(longest * LABEL_CHARACTER_WIDTH);
  return labelWidth < width / 4 ? labelWidth : 0;
}

/** The names of lines, to the right of their ends. */
function renderLineLabels(
  names: readonly string[],
  layers: readonly ChartLayer[],
  xs: readonly number[],
  frame: ChartFrame,
) {
  if (getLabelWidth(names, frame.width) === 0) return null;
  const named = layers.filter(({ name }) => names.includes(name));
  const ends = named.map(({ name, colorIndex, upper }): ChartCurve => {
    const index = upper.findLastIndex((value) => value !== undefined);
    const [x, y] = [xs[index], upper[index]];
    return { name, colorIndex, points: x === undefined || y === undefined ? [] : [[x, y]] };
  });
  return layOutLabels(ends, frame).map(({ name, colorIndex, top }) => (
    <text
      key={name}
      class={`line-label color-${colorIndex}`}
      x={frame.right + 8}
      // Labels are laid out above their lines, but shown at the same height.
      y={top + 12}
    >
      {name}
    </text>
  ));
}

function renderCursorLine(
  frame: ChartFrame,
  value: number,
  layers: readonly ChartLayer[],
  index: number,
) {
  const x = frame.x(value);
  return (
    <g class="cursor-line">
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} />
      {layers.map(({ name, colorIndex, upper, isBand }) => {
        const y = upper[index];
        if (y === undefined || isBand) return null;
        return <circle key={name} class={`color-${colorIndex}`} cx={x} cy={frame.y(y)} r="4" />;
      })}
    </g>
  );
}

interface LinePlotProps extends Omit<ChartPlotProps, 'defaultCursor'> {
  readonly onRangeSelect?: ((from: number, to: number) => void) | undefined;
}

type PlotPointerEvent = TargetedPointerEvent<HTMLDivElement>;

/** A plot whose cursor moves with the pointer. Dragging selects a range. */
function LinePlot({ onRangeSelect, ...props }: LinePlotProps) {
  const { frame, xs, cursor, onCursor } = props;
  const [start, setStart] = useState<number>();
  const findIndex = ({ clientX, currentTarget }: PlotPointerEvent) =>
    findNearestIndex(xs, frame, clientX - currentTarget.getBoundingClientRect().left);
  return (
    <ChartPlot
      {...props}
      overlay={
        <>
          {start !== undefined && renderRange(frame, xs[start] ?? 0, xs[cursor ?? start] ?? 0)}
          {props.overlay}
        </>
      }
      defaultCursor={xs.length - 1}
      onCursor={(index) => {
        if (index === undefined) setStart(undefined);
        onCursor(index);
      }}
      onPointerMove={(event) => onCursor(findIndex(event))}
      onPointerLeave={({ pointerType }) => {
        // A tooltip chosen by touch stays when the finger is lifted.
        if (pointerType !== 'touch') onCursor(undefined);
        setStart(undefined);
      }}
      onPointerDown={(event) => {
        onCursor(findIndex(event));
        if (event.pointerType !== 'mouse' || event.button !== 0 || !onRangeSelect) return;
        // The range may end outside the plot.
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(findIndex(event));
      }}
      onPointerUp={(event) => {
        const end = findIndex(event);
        if (start !== undefined && Math.abs(end - start) > 2)
          onRangeSelect?.(Math.min(start, end), Math.max(start, end));
        setStart(undefined);
      }}
    />
  );
}

function renderRange({ x, top, bottom }: ChartFrame, from: number, to: number) {
  const [left, right] = [x(Math.min(from, to)), x(Math.max(from, to))];
  const size = { width: right - left, height: bottom - top };
  return <rect class="range-selection" x={left} y={top} {...size} />;
}

/** The index of the point nearest to a horizontal position, by binary search. */
function findNearestIndex(xs: readonly number[], { x }: ChartFrame, pixels: number): number {
  let [low, high] = [0, xs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x(xs[middle] ?? 0) < pixels) low = middle;
    else high = middle;
  }
  const distance = (index: number) => Math.abs(x(xs[index] ?? 0) - pixels);
  return distance(low) <= distance(high) ? low : high;
}
