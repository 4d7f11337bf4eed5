import { alignedColumn, splitColumns } from '../api/aligned.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import {
  type BreakdownComponent,
  decodeKey,
  HUE_COLORS,
} from '../breakdown/breakdown-components.ts';
import {
  computeChange,
  describeChanges,
  getChangeUnit,
  isPercentage,
} from '../breakdown/compute-changes.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { rebase } from '../charts/rebase.ts';
import {
  formatDifference,
  formatFigure,
  formatNumber,
  getUnit,
  toDisplayUnit,
} from '../formatting/numbers.ts';
import { splitByDimensions } from './dimensions.ts';
import { buildSeriesData, getHeadline, SUM_TITLE, unifyDecimals } from './series-data.ts';

/** The keys of all figures that records have, the main one first. */
export function listFigureKeys(entry: DatasetEntry, data: readonly JsonRecord[]): string[] {
  return splitByDimensions(entry, data).flatMap(({ dimensions, records }) => {
    const toKey = ({ key }: BreakdownComponent) =>
      alignedColumn(entry.name, key, dimensions).slice(entry.name.length + 1);
    const series = buildSeriesData(entry, records);
    const { total, components, allComponents } = series;
    const main = total?.isComputed ? components : [getHeadline(series)].filter((each) => !!each);
    return [...new Set([main.map(toKey).join(':'), ...allComponents.map(toKey)])].filter(Boolean);
  });
}

const [DIFFERENCE, GROWTH] = [':ch1', ':pc1'];

/**
 * The figure of a key: its columns without the name of the series, with colons between those that it
 * is the sum of. Undefined where no field has it.
 */
export function describeFigure(entry: DatasetEntry, key: string) {
  const columns = key.split(':').map((column) => `${entry.name}.${column}`);
  const [, measure = '', dimensions = ''] = /\.([^(]*)(.*)$/.exec(columns[0] ?? '') ?? [];
  const [name, ...member] = decodeKey(measure).split('.');
  const field = entry.fields.find((each) => each.name === name);
  if (!field) return undefined;
  const unitInfo = field.fields?.find((inner) => inner.name === 'value') ?? field;
  const isSum = columns.length > 1;
  const figure = isSum ? SUM_TITLE : member.join('.') || field.meaning;
  const isMain = isSum || name === entry.chart?.total;
  const values = Array.from(dimensions.matchAll(/=([^,)]*)/g), ([, text = '']) => decodeKey(text));
  // The service computes no growth of sums, and that of percentages would mislead.
  const hasGrowth = !isSum && !isPercentage(unitInfo);
  const units = ['', DIFFERENCE, ...(hasGrowth ? [GROWTH] : [])];
  return {
    ...{ entry, key, unitInfo, columns, hasGrowth },
    /** The columns in which all modes find what they draw. */
    requested: columns.flatMap((column) => units.map((code) => column + code)),
    title: [isMain ? entry.title : `${entry.title}: ${figure}`, ...values].join(', '),
    optionTitle: [figure, ...values].join(', '),
  };
}

/** A figure of a series, by the reference of the URL. */
export type FigureSource = NonNullable<ReturnType<typeof describeFigure>> & {
  readonly name: FigureReference;
  /** The keys of all figures of the series. */
  readonly keys: readonly string[];
};

export type ComparedFigure = ReturnType<typeof buildFigure>;

/** A figure of an aligned table, by its periods; with those of a year before, and the growth since. */
export function buildFigure(
  source: FigureSource,
  index: number,
  rows: readonly (JsonRecord | undefined)[],
) {
  const { key, title, unitInfo, columns, hasGrowth } = source;
  const read = (code: string) =>
    rows.map((row) => sumCells(columns.map((each) => row?.[each + code])));
  const values = read('');
  const differences = read(DIFFERENCE);
  const earlier = values.map((value, period) => sumCells([value, -(differences[period] ?? NaN)]));
  return {
    ...{ ...source, earlier, differences },
    colorIndex: HUE_COLORS[index % HUE_COLORS.length] ?? 1,
    component: unifyDecimals({ key, title, field: '', unitInfo, values }),
    growth: hasGrowth
      ? read(GROWTH)
      : values.map((value, period) => computeChange(value, earlier[period], unitInfo)),
  };
}

/** Without the errors of binary fractions; undefined unless all are numbers. */
function sumCells(cells: readonly unknown[]): number | undefined {
  const sum = cells.reduce<number>((all, cell) => all + (typeof cell === 'number' ? cell : NaN), 0);
  return Number.isNaN(sum) ? undefined : Number(sum.toPrecision(15));
}

/** What is drawn of the figures: growth in percent, differences, or values, as published or of 100. */
export const SERIES_MODES = {
  growth: 'Growth on the year',
  change: 'Change on the year',
  published: 'As published',
  rebased: 'Rebased to 100',
};

/** The charts of figures, one for each unit; `labels` are those of the periods. */
export function buildSeriesComparison(
  figures: readonly ComparedFigure[],
  mode: keyof typeof SERIES_MODES,
  labels: readonly string[],
) {
  const lines = mode === 'rebased' ? rebaseFigures(figures, labels) : figures.map(DRAWERS[mode]);
  const drawn = lines.map((line, index) => {
    const { title: name, colorIndex } = figures[index] as ComparedFigure;
    return { ...line, name, colorIndex, isConnected: true };
  });
  const groups = Map.groupBy(drawn, ({ unit }) => unit);
  return Array.from(groups, ([unit, group]) => ({ unit, lines: group }));
}

type DrawnValues = Pick<ChartLine, 'values' | 'texts'> & { readonly unit: string };

const DRAWERS = {
  growth({ component: { values, unitInfo }, earlier, growth }: ComparedFigure): DrawnValues {
    return {
      unit: `${getChangeUnit(unitInfo)} on the year`,
      values: growth,
      ...describeChanges(values, earlier, unitInfo),
    };
  },
  change({ unitInfo, differences }: ComparedFigure): DrawnValues {
    return {
      unit: `${isPercentage(unitInfo) ? 'pp' : getUnit(unitInfo)} on the year`.trim(),
      values: differences.map((value) => value && toDisplayUnit(value, unitInfo)),
      texts: differences.map((value) => formatDifference(0, value, unitInfo)),
    };
  },
  published({ component: { values, unitInfo } }: ComparedFigure): DrawnValues {
    return {
      unit: getUnit(unitInfo),
      values: values.map((value) => value && toDisplayUnit(value, unitInfo)),
      texts: values.map((value) => formatFigure(value, unitInfo)),
    };
  },
};

function rebaseFigures(figures: readonly ComparedFigure[], labels: readonly string[]) {
  const { rows, bases, baseIndex } = rebase(figures.map(({ component }) => component.values));
  const label = labels[baseIndex] ?? 'first period of each';
  return figures.map(({ component: { unitInfo } }, index): DrawnValues => {
    const values = rows[index] ?? [];
    // A figure that is rounded coarsely is not known to the tenth of a percent.
    const step = unitInfo.decimals === undefined ? 0 : 10 ** -unitInfo.decimals;
    const uncertainty = (50 * step) / (bases[index] ?? 1);
    const decimals = uncertainty > 0.2 ? 0 : 1;
    return {
      unit: `${label} = 100`,
      values,
      texts: values.map((value) =>
        value === undefined ? undefined : formatNumber(value, decimals),
      ),
    };
  });
}

/** A figure in the URL: the name of its series, and its key unless it is the main one. */
export interface FigureReference {
  readonly series: string;
  readonly key: string | undefined;
}

export function parseFigureReferences(text: string | undefined): FigureReference[] {
  return Array.from(new Set(splitColumns(text ?? '')), (part) => {
    const [series = '', ...key] = part.split('~');
    return { series, key: key.join('~') || undefined };
  });
}

/** Undefined where there are none, which removes the parameter. */
export function formatFigureReferences(names: readonly FigureReference[]): string | undefined {
  const parts = names.map(({ series, key }) => (key === undefined ? series : `${series}~${key}`));
  return parts.join(',') || undefined;
}
