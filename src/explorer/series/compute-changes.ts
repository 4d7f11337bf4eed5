import { countDecimals } from '../../shared/count-decimals.ts';
import type { ListedChart } from '../charts/chart-data.ts';
import {
  formatDifference,
  formatFigureChange,
  formatSigned,
  getUnit,
  toDisplayUnit,
  type UnitInfo,
} from '../formatting/numbers.ts';
import type { BreakdownComponent, PeriodValues } from './breakdown-components.ts';

/** The changes of values from earlier ones, and their texts. */
export function computeChanges(values: PeriodValues, earlier: PeriodValues, unitInfo: UnitInfo) {
  return {
    values: values.map((value, index) => computeChange(value, earlier[index], unitInfo)),
    texts: values.map((value, index) => describeChange(value, earlier[index], unitInfo)?.text),
  };
}

/** The differences of values from earlier ones in their own unit, and their texts. */
export function computeDifferences(
  values: PeriodValues,
  earlier: PeriodValues,
  unitInfo: UnitInfo,
) {
  const subtract = (value = NaN, old = NaN) =>
    Number.isNaN(value - old) ? undefined : toDisplayUnit(value - old, unitInfo);
  return {
    values: values.map((value, index) => subtract(value, earlier[index])),
    texts: values.map((value, index) => formatDifference(earlier[index], value, unitInfo)),
  };
}

/** The change between two values: percent of a positive value, or points for percentages. */
export function computeChange(
  later: number | undefined,
  earlier: number | undefined,
  unitInfo: UnitInfo,
): number | undefined {
  if (later === undefined || earlier === undefined) return undefined;
  if (isPercentage(unitInfo)) return (later - earlier) * (unitInfo.kind === 'share' ? 100 : 1);
  return earlier > 0 ? (later / earlier - 1) * 100 : undefined;
}

export function isPercentage(unitInfo: UnitInfo): boolean {
  return getUnit(unitInfo) === '%';
}

/** The unit of a change; percentages change by percentage points. */
export function getChangeUnit(unitInfo: UnitInfo): '%' | 'pp' {
  return isPercentage(unitInfo) ? 'pp' : '%';
}

interface ChangeLabel {
  /** `+4.2 %`, `−1.3 pp`; for coarsely rounded figures, `+15 %` or `+24 to +34 %`. */
  readonly text: string;
  /** Undefined if rounding may account for the change. */
  readonly direction: 'up' | 'down' | undefined;
}

/** Rates and unit prices, which change less than shares and totals. */
const FINE_KINDS = ['percent', 'smallNumbers'];

/** How far rounded figures may put off the last digit of a change. */
const MAX_DIGIT_ERROR = 2;

/**
 * Describes the change between two values with no more certainty than they have: with one digit less if
 * rounding makes the last one meaningless, or as a range if that is not enough.
 */
export function describeChange(
  later: number | undefined,
  earlier: number | undefined,
  unitInfo: UnitInfo,
): ChangeLabel | undefined {
  const change = computeChange(later, earlier, unitInfo);
  if (change === undefined || later === undefined || earlier === undefined) return undefined;
  const unit = getChangeUnit(unitInfo);
  const { low, high } = computeBounds(later, earlier, unitInfo);
  // Rounds away binary errors, so that a difference of tenths is exact to the tenth.
  const uncertainty = Number(((high - low) / 2).toPrecision(6));
  if (uncertainty > MAX_DIGIT_ERROR) {
    const direction = low > 0 ? 'up' : high < 0 ? 'down' : undefined;
    return { text: `${formatSigned(low, 0)} to ${formatSigned(high, 0)} ${unit}`, direction };
  }
  const maxDecimals = FINE_KINDS.includes(unitInfo.kind) ? 2 : 1;
  const decimals = uncertainty * 10 > MAX_DIGIT_ERROR ? 0 : maxDecimals;
  const rounded = Number(change.toFixed(decimals));
  const direction = rounded > 0 ? 'up' : rounded < 0 ? 'down' : undefined;
  return { text: `${formatSigned(change, decimals)} ${unit}`, direction };
}

/** The least and the greatest change between values that round to these two. */
function computeBounds(later: number, earlier: number, unitInfo: UnitInfo) {
  const halfStep = unitInfo.roundedTo === undefined ? 0 : 10 ** -unitInfo.roundedTo / 2;
  const changes = [-halfStep, halfStep].flatMap((laterError) =>
    [-halfStep, halfStep].flatMap(
      (earlierError) =>
        computeChange(later + laterError, earlier + earlierError, unitInfo) ?? Infinity,
    ),
  );
  return { low: Math.min(...changes), high: Math.max(...changes) };
}

/** Whole numbers in thousands or more are rounded, not counts. */
const SCALED_UNIT = /thousand|million|billion|trillion/i;

/** The decimals that figures are rounded to; undefined if they are exact, as whole counts are. */
export function findDecimals(
  values: Iterable<number | undefined>,
  { unit }: UnitInfo,
): number | undefined {
  const decimals = getMaxDecimals(values);
  return decimals === 0 && !SCALED_UNIT.test(unit ?? '') ? undefined : decimals;
}

/** Gives all amounts of a component the same number of decimals. */
export function unifyDecimals<T extends Pick<BreakdownComponent, 'unitInfo' | 'values'>>(
  component: T,
): T {
  const { kind, unit, decimals } = component.unitInfo;
  const roundedTo = findDecimals(component.values, component.unitInfo);
  const isInteger = component.values.every((value) => Number.isInteger(value ?? 0));
  const isSmall = component.values.every((value = 0) => Math.abs(value) < 1_000);
  const fineKind = isSmall && (roundedTo ?? 0) > 1 ? 'smallNumbers' : 'numbers';
  const unifiedKind = isInteger ? 'count' : fineKind;
  return {
    ...component,
    unitInfo: { kind: kind === 'amount' ? unifiedKind : kind, unit, decimals, roundedTo },
  };
}

const MAX_DECIMALS = 12;

/** The decimals of the most exact of these values, up to `max`. */
export function getMaxDecimals(values: Iterable<number | undefined>, max = MAX_DECIMALS): number {
  let decimals = 0;
  for (const value of values) {
    decimals = Math.max(decimals, countDecimals(value ?? 0, MAX_DECIMALS));
    if (decimals >= max) return max;
  }
  return decimals;
}

/** The sum without errors of binary fractions; undefined unless all cells are numbers. */
export function addUp(cells: readonly unknown[]): number | undefined {
  const sum = cells.reduce<number>((all, cell) => all + (typeof cell === 'number' ? cell : NaN), 0);
  return Number.isNaN(sum) ? undefined : Number(sum.toPrecision(15));
}

/** A chart of the first figure minus the second: in basis points for yields, in percentage points for other percentages. */
export function buildDifference(figures: readonly BreakdownComponent[]): ListedChart[] {
  const [first, second] = figures;
  if (!first || !second || figures.length > 2) return [];
  const { kind, unit, decimals } = first.unitInfo;
  const { kind: otherKind, unit: otherUnit, roundedTo = 0 } = second.unitInfo;
  const values = first.values.map((value, index) => addUp([value, -(second.values[index] ?? NaN)]));
  const isComparable = kind === otherKind && unit === otherUnit;
  if (!isComparable || values.every((value) => value === undefined)) return [];
  const isYield = kind === 'percent' || kind === 'basisPoints';
  const isPoints = !isYield && isPercentage(first.unitInfo);
  const scale = kind === 'percent' || kind === 'share' ? 100 : 1;
  const unitInfo = {
    kind,
    unit,
    decimals,
    roundedTo: Math.max(roundedTo, first.unitInfo.roundedTo ?? 0),
  };
  const name = `${first.title} less ${second.title}`;
  const scaled = values.map((value) => value && value * scale);
  return [
    {
      heading: name,
      unit: isYield ? 'basis points' : isPoints ? 'pp' : (unit ?? ''),
      lines: [{ name, colorIndex: 7, values: scaled, isConnected: true }],
      layout: 'lines',
      format: (value) =>
        isPoints ? `${formatSigned(value, 1)} pp` : formatFigureChange(value / scale, unitInfo),
    },
  ];
}
