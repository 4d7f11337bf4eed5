import type { ChartLayout, ChartLine, ListedChart } from '../charts/chart-data.ts';
import { type CorrectionList, findCorrectedIndexes } from '../corrections/revision-corrections.ts';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { formatInlineUnit, formatNumber, formatSigned, getUnit } from '../formatting/numbers.ts';
import {
  assignColors,
  type BreakdownComponent,
  type ColoredComponent,
  computePercentDomain,
  formatPercent,
  type Palette,
  TOTAL_COLOR,
} from './breakdown-components.ts';
import {
  computeChanges,
  computeDifferences,
  getChangeUnit,
  isPercentage,
} from './compute-changes.ts';
import { type ShownRange, toYear } from './period-timeline.ts';
import type { SeriesData } from './series-data.ts';

export interface ChartOptions {
  readonly mode: ChartMode;
  readonly isScaleShared: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly corrections: CorrectionList;
  /** The shown periods; by default all. */
  readonly range?: ShownRange;
  /** The year whose mean is 100 if figures are rebased; by default the first shown period is. */
  readonly base?: string | undefined;
}

/** More periods than this are drawn as areas instead of columns; of days, which may be apart, one is a column. */
const MAX_COLUMN_PERIODS = 16;

/** The components that can be hidden and shown, with their colours. */
export function getColoredComponents(series: SeriesData, mode: ChartMode): Palette {
  const palette = series.palette ?? assignColors(series.components, series.kind !== 'lines');
  const total = mode === 'change' ? getColoredTotal(series) : [];
  return { ...palette, components: [...total, ...palette.components] };
}

function getColoredTotal({ total }: SeriesData): ColoredComponent[] {
  return total ? [{ ...total, colorIndex: TOTAL_COLOR }] : [];
}

/** The charts of a series: several if its figures do not share an axis. */
export function buildChartConfigs(series: SeriesData, options: ChartOptions): ListedChart[] {
  if (series.kind === 'multiples') return buildSmallMultiples(series, options);
  const { mode, hidden } = options;
  const { components } = getColoredComponents(series, mode);
  const visible = components.filter(({ key }) => !hidden.has(key));
  const isStack = (mode === 'amounts' || mode === 'share') && series.kind !== 'lines';
  const groups = Map.groupBy(
    visible,
    (component) => getValueFormatting(component, series, options).unit,
  );
  return [...groups].map(([unit, group]) => ({
    heading: groups.size > 1 ? unit || 'Without a unit' : undefined,
    layout: isStack ? getStackLayout(series, options) : 'lines',
    yDomain:
      isStack && unit === '%'
        ? computePercentDomain(
            series.components.map((each) => getPlottedValues(each, series, options).values),
          )
        : undefined,
    tooltipOnly:
      isStack && mode === 'amounts' && series.total
        ? [
            {
              name: series.total.title,
              values: series.total.values.slice(...getRange(series, options)),
            },
          ]
        : [],
    lines: group.map((component) => toChartLine(component, series, options)),
    ...getValueFormatting(group[0] as BreakdownComponent, series, options),
  }));
}

function buildSmallMultiples(series: SeriesData, options: ChartOptions): ListedChart[] {
  const { mode, isScaleShared } = options;
  const components = [
    ...(mode === 'share' ? [] : getColoredTotal(series)),
    ...series.components.map((component) => ({ ...component, colorIndex: 1 })),
  ];
  // Figures without a total, such as rates, are not drawn as areas, and their axis need not start at zero.
  const hasTotal = series.total !== undefined;
  const lines = components.map((component) => toChartLine(component, series, options));
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const bounds = hasTotal ? [0, ...values] : values;
  return components.map((component, index) => ({
    heading: component.title,
    layout:
      mode === 'change' || !isScaleShared || !hasTotal ? 'lines' : getStackLayout(series, options),
    yDomain: isScaleShared ? [Math.min(...bounds), Math.max(...bounds)] : undefined,
    tooltipOnly: [],
    lines: lines.slice(index, index + 1),
    ...getValueFormatting(component, series, options),
  }));
}

function getRange(
  { labels }: SeriesData,
  { range = [0, labels.length] }: ChartOptions,
): ShownRange {
  return range;
}

function getStackLayout(series: SeriesData, options: ChartOptions): ChartLayout {
  const [start, end] = getRange(series, options);
  const max = series.periodsPerYear > 300 ? 1 : MAX_COLUMN_PERIODS;
  return end - start <= max ? 'columns' : 'stacked';
}

function toChartLine(
  component: ColoredComponent,
  series: SeriesData,
  options: ChartOptions,
): ChartLine {
  const corrections = options.mode === 'change' ? [] : options.corrections;
  const [start, end] = getRange(series, options);
  const { values, texts } = getPlottedValues(component, series, options);
  return {
    name: component.title,
    colorIndex: component.colorIndex,
    isConnected: series.hasHolidays,
    values: values.slice(start, end),
    texts: texts?.slice(start, end),
    marks: findCorrectedIndexes(corrections, series.labels.slice(start, end), component.key),
  };
}

/** The drawn values of a component; shares are in percent. */
function getPlottedValues(
  component: BreakdownComponent,
  series: SeriesData,
  options: ChartOptions,
): Pick<ChartLine, 'values' | 'texts'> {
  const { mode } = options;
  const { values, unitInfo } = component;
  if (mode === 'change' || mode === 'difference') {
    const earlier = values.map((_, index) => series.getYearBefore(values, index));
    const compute = mode === 'change' ? computeChanges : computeDifferences;
    return compute(values, earlier, unitInfo);
  }
  if (mode === 'rebased') return rebaseComponent(component, findBase(series, options));
  if (mode === 'amounts' && unitInfo.kind !== 'share') return { values };
  const toPercent = (value: number | undefined, index: number) => {
    const whole = mode === 'share' ? series.total?.values[index] : 1;
    return value === undefined || !whole ? undefined : (value / whole) * 100;
  };
  return { values: values.map(toPercent) };
}

/** Values in percent of the mean of the base periods, with no more digits than are known. */
function rebaseComponent({ values, unitInfo }: BreakdownComponent, { indexes, isFirst }: Base) {
  const known = indexes.flatMap((index) => values[index] ?? []);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const base = [mean, ...(isFirst ? values : [])].find(isPositive);
  const step = unitInfo.roundedTo === undefined ? 0 : 10 ** -unitInfo.roundedTo;
  const uncertainty = (50 * step) / (base ?? 1);
  const decimals = uncertainty > 0.2 ? 0 : unitInfo.kind === 'price' ? 2 : 1;
  const rebased = values.map((value) => value && base && (value / base) * 100);
  const format = (value: number | undefined) =>
    value === undefined ? undefined : formatNumber(value, decimals);
  return { values: rebased, texts: rebased.map(format) };
}

interface Base {
  readonly indexes: readonly number[];
  /** The label of the base; undefined if each component has its own. */
  readonly label: string | undefined;
  /** Whether it is the first period, which a component may lack. */
  readonly isFirst: boolean;
}

/** The periods of the chosen year, else the first shown one in which all components that have values are positive. */
function findBase(series: SeriesData, options: ChartOptions): Base {
  const { components, labels, lastDays } = series;
  const years = lastDays.map(toYear);
  if (options.base && years.includes(options.base)) {
    const indexes = [...years.keys()].filter((index) => years[index] === options.base);
    return { indexes, label: options.base, isFirst: false };
  }
  const [start] = getRange(series, options);
  const rows = components.map(({ values }) => values).filter((values) => values.some(isPositive));
  const index = labels.findIndex(
    (_, each) => each >= start && rows.length > 0 && rows.every((row) => isPositive(row[each])),
  );
  const label = labels[index];
  return { indexes: [index], label: label && formatPeriodLabel(label), isFirst: true };
}

const isPositive = (value = 0) => value > 0;

function getValueFormatting(
  { unitInfo }: BreakdownComponent,
  series: SeriesData,
  options: ChartOptions,
) {
  const { mode } = options;
  const format = (value: number) => formatSigned(value, 1);
  if (mode === 'rebased') {
    const { label = 'first period of each' } = findBase(series, options);
    return { unit: `${label} = 100`, format };
  }
  if (mode === 'difference')
    return { unit: isPercentage(unitInfo) ? 'pp' : getUnit(unitInfo), format };
  if (mode === 'change') return { unit: getChangeUnit(unitInfo), format };
  if (mode === 'share' || unitInfo.kind === 'share') return { unit: '%', format: formatPercent };
  const formatAmount = (value: number) => formatInlineUnit(value, unitInfo);
  return { unit: getUnit(unitInfo), format: formatAmount };
}

/** Figures as published, shares of the total, changes on the year, or all rebased to 100. */
export const MODE_TITLES = {
  amounts: 'As published',
  share: 'Share of total',
  change: 'Year on year',
  difference: 'Change on the year',
  rebased: 'Rebased',
};

export type ChartMode = keyof typeof MODE_TITLES;

/** The modes that make sense for a series, the default first. */
export function getChartModes({ kind, total, components }: SeriesData): ChartMode[] {
  if (kind !== 'lines' && total) return ['amounts', 'share', 'change'];
  const canRebase =
    kind === 'lines' &&
    components.length > 1 &&
    !components.some(({ unitInfo }) => isPercentage(unitInfo));
  return ['amounts', 'change', ...(canRebase ? ['rebased' as const] : [])];
}

/** The mode in the URL; the default if the series does not support it. */
export function parseChartMode(series: SeriesData, text: string | undefined): ChartMode {
  return getChartModes(series).find((mode) => mode === text) ?? 'amounts';
}

/** Says what the page itself has computed. */
export function describeChart(mode: ChartMode, { total }: SeriesData): string | undefined {
  if (mode === 'change' || !total) return undefined;
  if (total.isComputed) return 'The total is the sum of the components, computed by the page.';
  return mode === 'share' ? `Percent of the total: ${total.title}.` : undefined;
}
