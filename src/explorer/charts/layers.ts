/** A row of values with a name; undefined where there is none. */
export interface Line {
  readonly name: string;
  /** Which of the page's colours it has, from 1. */
  readonly tone: number;
  readonly values: readonly (number | undefined)[];
  /** Which of its points have a ring around them. */
  readonly marks?: ReadonlySet<number> | undefined;
}

/** Columns are bars one upon the other, as stacked areas are. */
export type Layout = 'lines' | 'stacked' | 'columns' | 'bars';

type Values = readonly (number | undefined)[];

/** What is drawn of a line: its upper edge, and its lower one where it has an area. */
export interface Layer {
  readonly name: string;
  readonly tone: number;
  readonly upper: Values;
  readonly lower: Values | undefined;
  readonly isBand: boolean;
  readonly marks?: ReadonlySet<number> | undefined;
}

/** The layers of lines, from the lowest to the topmost. */
export function layersOf(
  lines: readonly Line[],
  layout: Layout,
  band?: { readonly name: string; readonly low: Values; readonly high: Values },
): Layer[] {
  const isStack = layout === 'stacked' || layout === 'columns';
  const drawn = isStack ? stacked(lines) : lines.map(alone);
  if (!band) return drawn;
  return [{ name: band.name, tone: 0, upper: band.high, lower: band.low, isBand: true }, ...drawn];
}

function alone({ name, tone, values, marks }: Line): Layer {
  return { name, tone, upper: values, lower: undefined, isBand: false, marks };
}

/** How far the nearest two places are from each other; 1 where there are not two. */
export function stepOf(xs: readonly number[]): number {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? 0));
  return steps.length > 0 ? Math.min(...steps) : 1;
}

/** Each upon those before it; what is below zero goes down from there. */
function stacked(lines: readonly Line[]): Layer[] {
  const above: number[] = [];
  const below: number[] = [];
  return lines.map(({ name, tone, values, marks }) => {
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
    return { name, tone, upper, lower, isBand: false, marks };
  });
}
