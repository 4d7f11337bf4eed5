import { scaleLinear } from 'd3-scale';
import { computeChanges, formatPercent, getChangeUnit } from '../breakdown/changes.ts';
import type { BreakdownComponent, PeriodValues } from '../breakdown/component.ts';
import { assignColors, type ColoredComponent, TOTAL_COLOR } from '../breakdown/palette.ts';
import type { ChartLayout, ChartLine } from '../charts/layers.ts';
import { findCorrectedIndexes } from '../corrections/correction-notes.ts';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { formatCompact, formatFigure, formatSigned, getUnit } from '../formatting/numbers.ts';
import type { ChartMode } from './chart-modes.ts';
import type { SeriesData } from './series-data.ts';

/** A chart of a series: one of several where its figures do not fit upon one axis. */
export interface ChartConfig {
  readonly heading: string | undefined;
  readonly unit: string;
  /** The unit where it is read off once for all figures; empty where each is written with it. */
  readonly tooltipUnit: string;
  readonly lines: readonly ChartLine[];
  readonly layout: ChartLayout;
  readonly yDomain: readonly [number, number] | undefined;
  readonly tooltipOnly: readonly Pick<ChartLine, 'name' | 'values'>[];
  readonly formatAxis: (value: number) => string;
  readonly format: (value: number) => string;
}

export interface ChartOptions {
  readonly mode: ChartMode;
  /** Whether small charts have the same scale. */
  readonly isScaleShared: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly amendments: readonly RevisionCorrections[];
}

/** So few periods are clearer side by side than as an area. */
export const MAX_COLUMN_PERIODS = 16;

/** What can be hidden and shown, with its colours. */
export function getVisibleComponents(series: SeriesData, mode: ChartMode) {
  const palette = assignColors(series.components, series.kind !== 'lines');
  const whole = series.total && { ...series.total, colorIndex: TOTAL_COLOR };
  const first = whole && mode === 'change' ? [whole] : [];
  return { ...palette, parts: [...first, ...palette.parts] };
}

/** The charts of a series. */
export function buildChartConfigs(series: SeriesData, options: ChartOptions): ChartConfig[] {
  if (series.kind === 'multiples') return buildSmallMultiples(series, options);
  const { mode, hidden } = options;
  const components = getVisibleComponents(series, mode).parts.filter(({ key }) => !hidden.has(key));
  const isStack = mode !== 'change' && series.kind !== 'lines';
  const few = series.ordinals.length <= MAX_COLUMN_PERIODS;
  const layout = isStack ? (few ? 'columns' : 'stacked') : 'lines';
  const groups = Map.groupBy(components, (component) => getValueFormatting(component, mode).unit);
  return [...groups].map(([unit, those]) => ({
    heading: groups.size > 1 ? unit || 'Without a unit' : undefined,
    layout,
    yDomain: isStack && unit === '%' ? getPercentDomain(series, mode) : undefined,
    tooltipOnly: isStack && mode === 'amounts' ? getTotalReadout(series.total) : [],
    lines: those.map((part) => toChartLine(part, series, options)),
    ...getValueFormatting(those[0] as BreakdownComponent, mode),
  }));
}

/** A small chart for the whole, and one for each part. */
function buildSmallMultiples(series: SeriesData, options: ChartOptions): ChartConfig[] {
  const { mode, isScaleShared } = options;
  const whole =
    series.total && mode !== 'share' ? [{ ...series.total, colorIndex: TOTAL_COLOR }] : [];
  const components: ColoredComponent[] = [
    ...whole,
    ...series.components.map((component) => ({ ...component, colorIndex: 1 })),
  ];
  const lines = components.map((part) => toChartLine(part, series, options));
  const few = series.ordinals.length <= MAX_COLUMN_PERIODS;
  const area = few ? 'columns' : 'stacked';
  return components.map((part, index) => ({
    heading: part.title,
    layout: mode === 'change' || !isScaleShared ? 'lines' : area,
    yDomain: isScaleShared ? computeNiceDomain(lines) : undefined,
    tooltipOnly: [],
    lines: lines.slice(index, index + 1),
    ...getValueFormatting(part, mode),
  }));
}

function toChartLine(
  component: ColoredComponent,
  series: SeriesData,
  { mode, amendments: corrections }: ChartOptions,
): ChartLine {
  return {
    name: component.title,
    colorIndex: component.colorIndex,
    values: getPlottedValues(component, series, mode),
    marks: findCorrectedIndexes(mode === 'change' ? [] : corrections, series.labels, component.key),
  };
}

/** What is drawn of a part; shares are drawn in percent. */
function getPlottedValues(
  component: BreakdownComponent,
  { total, periodsPerYear = 1 }: SeriesData,
  mode: ChartMode,
): PeriodValues {
  if (mode === 'change') return computeChanges(component, periodsPerYear);
  if (mode === 'share') {
    return component.values.map((value, index) => {
      const all = total?.values[index];
      return value === undefined || !all ? undefined : (value / all) * 100;
    });
  }
  if (component.measure.kind !== 'share') return component.values;
  return component.values.map((value) => (value === undefined ? undefined : value * 100));
}

type ValueFormatting = Pick<ChartConfig, 'unit' | 'tooltipUnit' | 'formatAxis' | 'format'>;

function getValueFormatting({ measure }: BreakdownComponent, mode: ChartMode): ValueFormatting {
  if (mode === 'change') {
    const unit = getChangeUnit(measure);
    return {
      unit,
      tooltipUnit: '',
      formatAxis: formatCompact,
      format: (v) => `${formatSigned(v, 1)} ${unit}`,
    };
  }
  if (mode === 'share' || measure.kind === 'share') {
    return { unit: '%', tooltipUnit: '', formatAxis: formatCompact, format: formatPercent };
  }
  const unit = getUnit(measure);
  return {
    unit,
    tooltipUnit: unit,
    formatAxis: formatCompact,
    format: (v) => formatFigure(v, measure),
  };
}

function getTotalReadout(whole: SeriesData['total']): ChartConfig['tooltipOnly'] {
  return whole ? [{ name: whole.title, values: whole.values }] : [];
}

/** To 100 %, and further where the parts go further. */
function getPercentDomain(series: SeriesData, mode: ChartMode): readonly [number, number] {
  const sums = series.ordinals.map((_, index) =>
    series.components.reduce(
      (sum, component) => sum + (getPlottedValues(component, series, mode)[index] ?? 0),
      0,
    ),
  );
  // What doubles add up to is not quite 100 either.
  const highest = Math.max(100, ...sums);
  return [0, highest < 100.5 ? 100 : highest];
}

function computeNiceDomain(lines: readonly ChartLine[]): readonly [number, number] {
  const values = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [from = low, to = high] = scaleLinear().domain([low, high]).nice(3).domain();
  return [from, to];
}
