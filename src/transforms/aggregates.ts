import type { AggregateName } from '../catalogue/model/transform-parameters.ts';
import { sumDecimals } from '../shared/decimals.ts';

/** What becomes of the figures of a coarser period, which are given oldest first. */
export const AGGREGATES = {
  sum: sumDecimals,
  mean: (figures) => sumDecimals(figures) / figures.length,
  first: (figures) => figures[0] ?? Number.NaN,
  last: (figures) => figures.at(-1) ?? Number.NaN,
  min: (figures) => Math.min(...figures),
  max: (figures) => Math.max(...figures),
} as const satisfies Readonly<Record<AggregateName, (figures: readonly number[]) => number>>;
