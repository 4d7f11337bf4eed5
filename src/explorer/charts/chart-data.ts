import type { Tick } from './ticks.ts';

/** Undefined if there is no value. */
type ChartValues = readonly (number | undefined)[];

export interface ChartLine {
  readonly name: string;
  readonly colorIndex: number;
  readonly values: ChartValues;
  /** Texts for the tooltip, if the chart's own format is not sufficient. */
  readonly texts?: readonly (string | undefined)[] | undefined;
  /** Whether the line continues across missing values. */
  readonly isConnected?: boolean | undefined;
  /** Whether each value lasts until the next point; only the first has a dot. */
  readonly isStepped?: boolean | undefined;
  readonly marks?: ReadonlySet<number> | undefined;
}

/** The area between two rows of values, such as bid and ask. */
export interface ChartBand {
  readonly name: string;
  readonly low: ChartValues;
  readonly high: ChartValues;
}

/** Columns are stacked bars. */
export type ChartLayout = 'lines' | 'stacked' | 'columns' | 'bars';

export interface ChartInfo {
  readonly lines: readonly ChartLine[];
  readonly layout: ChartLayout;
  readonly band?: ChartBand | undefined;
  /** Values shown only in the tooltip. */
  readonly tooltipOnly?: readonly Pick<ChartLine, 'name' | 'values' | 'texts'>[];
  readonly format: (value: number) => string;
  readonly pointNotes?: ReadonlyMap<number, string> | undefined;
  /** The domain of the vertical axis, if it does not depend on the values. */
  readonly yDomain?: readonly [number, number] | undefined;
}

/** A chart among others of the same periods. */
export interface ListedChart extends ChartInfo {
  readonly heading: string | undefined;
  readonly unit: string;
  readonly height?: number;
  readonly isLoading?: boolean;
}

/** The upper edge of a line, and the lower edge if it has an area. */
export interface ChartLayer extends Omit<ChartLine, 'values'> {
  readonly upper: ChartValues;
  readonly lower?: ChartValues;
  readonly isBand?: boolean;
}

export function buildLayers(
  lines: readonly ChartLine[],
  layout: ChartLayout,
  band?: ChartBand,
): ChartLayer[] {
  const isStack = layout === 'stacked' || layout === 'columns';
  const layers = isStack
    ? stackLines(lines)
    : lines.map(({ values, ...line }) => ({ ...line, upper: values }));
  if (!band) return layers;
  const { name, high, low } = band;
  return [{ name, colorIndex: 0, upper: high, lower: low, isBand: true }, ...layers];
}

/** The least and the greatest value of all layers; areas and bars include 0. */
export function computeExtent(
  layers: readonly ChartLayer[],
  layout: ChartLayout,
): [number, number] {
  const edges = layers.flatMap(({ lower = [], upper }) => [...lower, ...upper]);
  const [low, high] = findExtent(layout === 'lines' ? edges : [0, ...edges]);
  return low <= high ? [low, high] : [0, 1];
}

/** The least and the greatest value; an inverted infinite range if there are none. */
export function findExtent(values: ChartValues): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value ?? Infinity);
    high = Math.max(high, value ?? -Infinity);
  }
  return [low, high];
}

/** The smallest distance between two points; 1 if there are fewer than two. */
export function getMinSpacing(xs: readonly number[]): number {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? 0));
  return steps.length > 0 ? Math.min(...steps) : 1;
}

/** Stacks positive values upwards and negative values downwards from zero. */
function stackLines(lines: readonly ChartLine[]): ChartLayer[] {
  const above: number[] = [];
  const below: number[] = [];
  return lines.map(({ values, ...line }) => {
    const lower = values.map((value, index) => {
      if (value === undefined) return undefined;
      return (value < 0 ? below[index] : above[index]) ?? 0;
    });
    const upper = values.map((value, index) => {
      if (value === undefined) return undefined;
      const sum = (lower[index] ?? 0) + value;
      (value < 0 ? below : above)[index] = sum;
      return sum;
    });
    return { ...line, lower, upper };
  });
}

/** The size and margins of a chart, and its scales from data to pixels. */
export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly number[];
  readonly yLabels: readonly string[];
  readonly xTitle?: string | undefined;
  readonly yTitle?: string | undefined;
}

export interface ChartPoint {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly colorIndex: number;
  /** Whether it belongs to a compared day. */
  readonly isComparison?: boolean;
}

export interface ChartCurve {
  readonly name: string;
  /** Shown at the end of the line; by default its name. */
  readonly label?: string | undefined;
  readonly colorIndex: number;
  /** The number of the compared day that it belongs to. */
  readonly comparison?: number | undefined;
  readonly points: readonly (readonly [x: number, y: number])[];
}
