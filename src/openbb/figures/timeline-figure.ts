import type { Chart } from '../../catalogue/model/chart.ts';
import {
  buildFigure,
  type Figure,
  getColor,
  type PlotlyObject,
  type Theme,
  type Trace,
} from './figure.ts';
import type { Timeline, TimelineLine } from './timeline.ts';

/** Draws values over periods as the chart of their dataset says. */
export function buildTimelineFigure(kind: Chart['kind'], timeline: Timeline, theme: Theme): Figure {
  if (timeline.labels.length === 0) return buildFigure(theme, [], {});
  if (kind === 'multiples') return buildSmallMultiples(timeline, theme);
  const { lines, total } = timeline;
  const draw = kind === 'lines' ? drawLine : drawBars;
  const traces = lines.map((line, index) => draw(timeline, line, getColor(theme, index)));
  const totals = total ? [{ ...drawLine(timeline, total, theme.text), ...TOTAL_MARKS }] : [];
  return buildFigure(theme, [...traces, ...totals], {
    // Values below zero go down from it.
    ...(kind !== 'lines' && { barmode: 'relative' }),
    xaxis: PERIOD_AXIS,
    yaxis: buildValueAxis(timeline),
  });
}

const TOTAL_MARKS = { mode: 'markers', marker: { symbol: 'line-ew-open', size: 10 } };

/** A period without data has its place on the axis like any other. */
const PERIOD_AXIS = { type: 'category', nticks: 8, showgrid: false };

function buildValueAxis({ unit }: Timeline): PlotlyObject {
  if (unit === 'fraction') return { tickformat: '.0%' };
  return unit === 'percent' ? { ticksuffix: ' %' } : { title: { text: unit }, tickformat: ',' };
}

function drawBars({ labels }: Timeline, { name, values }: TimelineLine, color: string): Trace {
  return { type: 'bar', name, x: labels, y: values, marker: { color } };
}

/** Without a line across a gap. A single value between two gaps is a point. */
function drawLine({ labels }: Timeline, { name, values }: TimelineLine, color: string): Trace {
  return {
    type: 'scatter',
    mode: 'lines+markers',
    name,
    x: labels,
    y: values,
    line: { color, width: 2 },
    marker: { color, size: 4 },
  };
}

const MULTIPLES_PER_ROW = 2;

/** A small chart for each line and for the total, each with its own scale. */
function buildSmallMultiples(timeline: Timeline, theme: Theme): Figure {
  const { lines, total } = timeline;
  const panels = [...(total ? [total] : []), ...lines];
  const rows = Math.ceil(panels.length / MULTIPLES_PER_ROW);
  const axes = panels.flatMap((_, index) => [
    [getAxisName('xaxis', index), { ...PERIOD_AXIS, nticks: 5 }],
    [getAxisName('yaxis', index), { rangemode: 'tozero', nticks: 5, tickformat: '~s' }],
  ]);
  const traces = panels.map((line, index) => ({
    ...drawLine(timeline, line, getColor(theme, index)),
    mode: 'lines',
    xaxis: getAxisName('x', index),
    yaxis: getAxisName('y', index),
  }));
  const titles = panels.map(({ name }, index) => ({
    text: name,
    showarrow: false,
    xref: `${getAxisName('x', index)} domain`,
    yref: `${getAxisName('y', index)} domain`,
    x: 0,
    y: 1,
    yanchor: 'bottom',
    font: { color: theme.text },
  }));
  const columns = Math.min(MULTIPLES_PER_ROW, panels.length);
  const { layout, ...figure } = buildFigure(theme, traces, {
    grid: { rows, columns, pattern: 'independent', ygap: 0.35 },
    ...Object.fromEntries(axes),
  });
  const { legend: _, ...others } = layout;
  return { ...figure, layout: { ...others, showlegend: false, annotations: titles } };
}

/** Plotly numbers the axes from the second one on. */
function getAxisName(prefix: string, index: number): string {
  return index === 0 ? prefix : `${prefix}${index + 1}`;
}
