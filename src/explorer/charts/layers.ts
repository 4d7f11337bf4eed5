/** A row of values with a name; undefined where there is none. */
export interface ChartLine {
  readonly name: string;
  /** Which of the page's colours it has, from 1. */
  readonly colorIndex: number;
  readonly values: readonly (number | undefined)[];
  /** Which of its points have a ring around them. */
  readonly marks?: ReadonlySet<number> | undefined;
}

/** Columns are bars one upon the other, as stacked areas are. */
export type ChartLayout = 'lines' | 'stacked' | 'columns' | 'bars';

type ChartValues = readonly (number | undefined)[];

/** What is drawn of a line: its upper edge, and its lower one where it has an area. */
export interface ChartLayer {
  readonly name: string;
  readonly colorIndex: number;
  readonly upper: ChartValues;
  readonly lower: ChartValues | undefined;
  readonly isBand: boolean;
  readonly marks?: ReadonlySet<number> | undefined;
}

/** The layers of lines, from the lowest to the topmost. */
export function buildLayers(
  lines: readonly ChartLine[],
  layout: ChartLayout,
  band?: { readonly name: string; readonly low: ChartValues; readonly high: ChartValues },
): ChartLayer[] {
  const isStack = layout === 'stacked' || layout === 'columns';
  const drawn = isStack ? stackLines(lines) : lines.map(toUnstackedLayer);
  if (!band) return drawn;
  return [
    { name: band.name, colorIndex: 0, upper: band.high, lower: band.low, isBand: true },
    ...drawn,
  ];
}

function toUnstackedLayer({ name, colorIndex, values, marks }: ChartLine): ChartLayer {
  return { name, colorIndex, upper: values, lower: undefined, isBand: false, marks };
}

/** How far the nearest two places are from each other; 1 where there are not two. */
export function getMinSpacing(xs: readonly number[]): number {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? 0));
  return steps.length > 0 ? Math.min(...steps) : 1;
}

/** Each upon those before it; what is below zero goes down from there. */
function stackLines(lines: readonly ChartLine[]): ChartLayer[] {
  const above: number[] = [];
  const below: number[] = [];
  return lines.map(({ name, colorIndex, values, marks }) => {
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
    return { name, colorIndex, upper, lower, isBand: false, marks };
  });
}
