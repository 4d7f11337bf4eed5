import { DAY_MS, formatDay } from '../../shared/calendar.ts';
import type { BreakdownComponent } from '../breakdown/breakdown-components.ts';
import { describeChanges, getChangeUnit } from '../breakdown/compute-changes.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { formatNumber } from '../formatting/numbers.ts';
import type { SeriesData } from './series-data.ts';

/** One figure of a series among others. */
export interface ComparedFigure {
  readonly name: FigureReference;
  readonly title: string;
  readonly colorIndex: number;
  readonly series: SeriesData;
  readonly component: BreakdownComponent;
}

/** Growth on the year, or values of which those of the first common period are 100. */
export const SERIES_MODES = { growth: 'Growth on the year', rebased: 'Rebased to 100' };
type SeriesComparisonMode = keyof typeof SERIES_MODES;

export interface SeriesComparison {
  /** The ends of all periods, ascending. */
  readonly days: readonly string[];
  readonly xs: readonly number[];
  /** One for each unit. */
  readonly charts: readonly { readonly unit: string; readonly lines: readonly ChartLine[] }[];
}

/** Lines of different figures, at the ends of their periods. */
export function buildSeriesComparison(
  figures: readonly ComparedFigure[],
  mode: SeriesComparisonMode,
): SeriesComparison {
  const start = findCommonStart(figures);
  const drawn = figures.map((figure) => ({
    ...figure,
    ...(mode === 'growth' ? computeGrowth(figure) : rebase(figure, start)),
  }));
  const xs = [
    ...new Set(
      drawn.flatMap(({ series, values }) =>
        series.lastDays.filter((_, index) => values[index] !== undefined),
      ),
    ),
  ].toSorted((a, b) => a - b);
  const charts = [...Map.groupBy(drawn, ({ unit }) => unit)].map(([unit, group]) => ({
    unit,
    lines: group.map(({ title, colorIndex, series, values, texts, cells }) => {
      const indexes = xs.map((day) => series.lastDays.indexOf(day));
      return {
        ...{ name: title, colorIndex, isConnected: true },
        values: indexes.map((index) => values[index]),
        texts: indexes.map((index) => texts[index]),
        cells: indexes.map((index) => cells[index]),
      };
    }),
  }));
  return { days: xs.map(formatDay), xs: xs.map((day) => day * DAY_MS), charts };
}

type DrawnValues = ReturnType<typeof describeChanges> & { readonly unit: string };

function computeGrowth({ component, series }: ComparedFigure): DrawnValues {
  const unit = `${getChangeUnit(component.unitInfo)} on the year`;
  return { unit, ...describeChanges(component, series.periodsPerYear) };
}

/** From the first period on in which all figures are there and positive. */
function rebase({ component, series }: ComparedFigure, { start, label }: CommonStart): DrawnValues {
  const { values, unitInfo } = component;
  const baseIndex = findBaseIndex(component, series, start);
  const base = values[baseIndex] ?? Number.NaN;
  const rebased = values.map((value, index) =>
    value === undefined || index < baseIndex || baseIndex < 0 ? undefined : (value / base) * 100,
  );
  // A figure that is rounded coarsely is not known to the tenth of a percent.
  const uncertainty = unitInfo.decimals === undefined ? 0 : (50 * 10 ** -unitInfo.decimals) / base;
  const decimals = uncertainty > 0.2 ? 0 : 1;
  return {
    unit: `${label} = 100`,
    values: rebased,
    texts: rebased.map((value) =>
      value === undefined ? undefined : formatNumber(value, decimals),
    ),
    cells: rebased.map((value) =>
      value === undefined ? undefined : Number(value.toFixed(decimals)),
    ),
  };
}

interface CommonStart {
  readonly start: number;
  readonly label: string;
}

/** The first end of a period in which all are positive, or else the last of the first ones. */
function findCommonStart(figures: readonly ComparedFigure[]): CommonStart {
  const ends = figures.map(({ component, series }) =>
    series.lastDays.filter((_, index) => (component.values[index] ?? 0) > 0),
  );
  const [candidates = [], ...others] = ends;
  const start =
    candidates.find((day) => others.every((days) => days.includes(day))) ??
    Math.max(...ends.map(([first = -Infinity]) => first));
  const labels = figures.flatMap(
    ({ component, series }) => series.labels[findBaseIndex(component, series, start)] ?? [],
  );
  return { start, label: [...new Set(labels)].join(' and ') };
}

function findBaseIndex({ values }: BreakdownComponent, { lastDays }: SeriesData, start: number) {
  return values.findIndex((value = 0, index) => value > 0 && (lastDays[index] ?? 0) >= start);
}

/** A figure in the URL: the name of its series, and its key unless it is the main one. */
export interface FigureReference {
  readonly series: string;
  readonly key: string | undefined;
}

export function parseFigureReferences(text: string | undefined): FigureReference[] {
  const parts = new Set((text ?? '').split(',').filter(Boolean));
  return Array.from(parts, (part) => {
    const [series = '', ...key] = part.split('~');
    return { series, key: key.join('~') || undefined };
  });
}

/** Undefined where there are none, which removes the parameter. */
export function formatFigureReferences(names: readonly FigureReference[]): string | undefined {
  const parts = names.map(({ series, key }) => (key === undefined ? series : `${series}~${key}`));
  return parts.join(',') || undefined;
}
