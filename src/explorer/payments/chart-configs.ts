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
  readonly unitRead: string;
  readonly lines: readonly ChartLine[];
  readonly layout: ChartLayout;
  readonly between: readonly [number, number] | undefined;
  readonly also: readonly Pick<ChartLine, 'name' | 'values'>[];
  readonly axis: (value: number) => string;
  readonly format: (value: number) => string;
}

export interface ChartOptions {
  readonly mode: ChartMode;
  /** Whether small charts have the same scale. */
  readonly isShared: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly amendments: readonly RevisionCorrections[];
}

/** So few periods are clearer side by side than as an area. */
export const MAX_COLUMN_PERIODS = 16;

/** What can be hidden and shown, with its colours. */
export function getVisibleComponents(series: SeriesData, mode: ChartMode) {
  const palette = assignColors(series.parts, series.kind !== 'lines');
  const whole = series.whole && { ...series.whole, tone: TOTAL_COLOR };
  const first = whole && mode === 'change' ? [whole] : [];
  return { ...palette, parts: [...first, ...palette.parts] };
}

/** The charts of a series. */
export function buildChartConfigs(series: SeriesData, wanted: ChartOptions): ChartConfig[] {
  if (series.kind === 'multiples') return buildSmallMultiples(series, wanted);
  const { mode, hidden } = wanted;
  const parts = getVisibleComponents(series, mode).parts.filter(({ key }) => !hidden.has(key));
  const isStack = mode !== 'change' && series.kind !== 'lines';
  const few = series.places.length <= MAX_COLUMN_PERIODS;
  const layout = isStack ? (few ? 'columns' : 'stacked') : 'lines';
  const groups = Map.groupBy(parts, (part) => getValueFormatting(part, mode).unit);
  return [...groups].map(([unit, those]) => ({
    heading: groups.size > 1 ? unit || 'Without a unit' : undefined,
    layout,
    between: isStack && unit === '%' ? getPercentDomain(series, mode) : undefined,
    also: isStack && mode === 'amounts' ? getTotalReadout(series.whole) : [],
    lines: those.map((part) => toChartLine(part, series, wanted)),
    ...getValueFormatting(those[0] as BreakdownComponent, mode),
  }));
}

/** A small chart for the whole, and one for each part. */
function buildSmallMultiples(series: SeriesData, wanted: ChartOptions): ChartConfig[] {
  const { mode, isShared } = wanted;
  const whole = series.whole && mode !== 'share' ? [{ ...series.whole, tone: TOTAL_COLOR }] : [];
  const parts: ColoredComponent[] = [
    ...whole,
    ...series.parts.map((part) => ({ ...part, tone: 1 })),
  ];
  const lines = parts.map((part) => toChartLine(part, series, wanted));
  const few = series.places.length <= MAX_COLUMN_PERIODS;
  const area = few ? 'columns' : 'stacked';
  return parts.map((part, index) => ({
    heading: part.title,
    layout: mode === 'change' || !isShared ? 'lines' : area,
    between: isShared ? computeNiceDomain(lines) : undefined,
    also: [],
    lines: lines.slice(index, index + 1),
    ...getValueFormatting(part, mode),
  }));
}

function toChartLine(
  part: ColoredComponent,
  series: SeriesData,
  { mode, amendments }: ChartOptions,
): ChartLine {
  return {
    name: part.title,
    tone: part.tone,
    values: getPlottedValues(part, series, mode),
    marks: findCorrectedIndexes(mode === 'change' ? [] : amendments, series.labels, part.key),
  };
}

/** What is drawn of a part; shares are drawn in percent. */
function getPlottedValues(
  part: BreakdownComponent,
  { whole, perYear = 1 }: SeriesData,
  mode: ChartMode,
): PeriodValues {
  if (mode === 'change') return computeChanges(part, perYear);
  if (mode === 'share') {
    return part.values.map((value, index) => {
      const all = whole?.values[index];
      return value === undefined || !all ? undefined : (value / all) * 100;
    });
  }
  if (part.measure.kind !== 'share') return part.values;
  return part.values.map((value) => (value === undefined ? undefined : value * 100));
}

type ValueFormatting = Pick<ChartConfig, 'unit' | 'unitRead' | 'axis' | 'format'>;

function getValueFormatting({ measure }: BreakdownComponent, mode: ChartMode): ValueFormatting {
  if (mode === 'change') {
    const unit = getChangeUnit(measure);
    return {
      unit,
      unitRead: '',
      axis: formatCompact,
      format: (v) => `${formatSigned(v, 1)} ${unit}`,
    };
  }
  if (mode === 'share' || measure.kind === 'share') {
    return { unit: '%', unitRead: '', axis: formatCompact, format: formatPercent };
  }
  const unit = getUnit(measure);
  return { unit, unitRead: unit, axis: formatCompact, format: (v) => formatFigure(v, measure) };
}

function getTotalReadout(whole: SeriesData['whole']): ChartConfig['also'] {
  return whole ? [{ name: whole.title, values: whole.values }] : [];
}

/** To 100 %, and further where the parts go further. */
function getPercentDomain(series: SeriesData, mode: ChartMode): readonly [number, number] {
  const sums = series.places.map((_, index) =>
    series.parts.reduce((sum, part) => sum + (getPlottedValues(part, series, mode)[index] ?? 0), 0),
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
