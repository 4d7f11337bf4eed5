import type { UnitsCode } from '../catalogue/model/transform-parameters.ts';
import { subtractDecimals } from '../shared/decimals.ts';

/** How a figure is computed, and its unit. */
interface UnitsTransform {
  /** What it is compared with: the period before, or the one a year before. */
  readonly base?: 'period' | 'year';
  /** Whether it is null unless the figure, and the base if there is one, are positive. */
  readonly needsPositive?: true;
  readonly compute: (figure: number, base: number, periodsPerYear: number) => number;
  readonly getUnit: (unit: string) => string;
}

const getUnitOfDifference = (unit: string) => (unit === 'percent' ? 'percentage points' : unit);
const computePercent = (figure: number, base: number) =>
  (subtractDecimals(figure, base) * 100) / base;
const computeLogPercent = (figure: number, base: number) => Math.log(figure / base) * 100;

/** Growth since the period before, which is that of positive figures alone. */
const GROWTH = { base: 'period', needsPositive: true } as const;

export const UNITS = {
  lin: { compute: (figure) => figure, getUnit: (unit) => unit },
  chg: { base: 'period', compute: subtractDecimals, getUnit: getUnitOfDifference },
  ch1: { base: 'year', compute: subtractDecimals, getUnit: getUnitOfDifference },
  pch: { ...GROWTH, compute: computePercent, getUnit: () => 'percent' },
  pc1: { ...GROWTH, base: 'year', compute: computePercent, getUnit: () => 'percent' },
  pca: {
    ...GROWTH,
    compute: (figure, base, periodsPerYear) => ((figure / base) ** periodsPerYear - 1) * 100,
    getUnit: () => 'percent a year',
  },
  cch: {
    ...GROWTH,
    compute: computeLogPercent,
    getUnit: () => 'percent, continuously compounded',
  },
  cca: {
    ...GROWTH,
    compute: (figure, base, periodsPerYear) => computeLogPercent(figure, base) * periodsPerYear,
    getUnit: () => 'percent a year, continuously compounded',
  },
  log: {
    needsPositive: true,
    compute: Math.log,
    getUnit: (unit) => `natural logarithm of ${unit}`,
  },
} as const satisfies Readonly<Record<UnitsCode, UnitsTransform>>;

/** What figures in these units are compared with, if with anything. */
export const getBase = (code: UnitsCode): UnitsTransform['base'] => {
  const { base }: UnitsTransform = UNITS[code];
  return base;
};

/** A figure in other units; null if it cannot be computed. */
export function computeUnits(
  code: UnitsCode,
  figure: number | null,
  base: number | null,
  periodsPerYear: number,
): number | null {
  const { base: comparedWith, needsPositive, compute }: UnitsTransform = UNITS[code];
  const compared = comparedWith ? base : 1;
  if (figure === null || compared === null) return null;
  if (needsPositive && !(figure > 0 && compared > 0)) return null;
  const computed = compute(figure, compared, periodsPerYear);
  return Number.isFinite(computed) ? computed : null;
}
