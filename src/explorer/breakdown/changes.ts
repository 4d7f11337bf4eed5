import {
  computePercentChange,
  formatNumber,
  formatSigned,
  getUnit,
  type UnitInfo,
} from '../formatting/numbers.ts';
import type { BreakdownComponent, PeriodValues } from './component.ts';

/** Each value against the one so many places before: in percent, of shares in percentage points. */
export function computeChanges(
  { values, measure }: Pick<BreakdownComponent, 'values' | 'measure'>,
  step: number,
): PeriodValues {
  return values.map((value, index) => computeChange(value, values[index - step], measure));
}

/** The same for two values. */
export function computeChange(
  later: number | undefined,
  earlier: number | undefined,
  measure: UnitInfo,
): number | undefined {
  if (!isPercentage(measure)) return computePercentChange(later, earlier);
  if (later === undefined || earlier === undefined) return undefined;
  return (later - earlier) * (measure.kind === 'share' ? 100 : 1);
}

/** Whether values are parts of a hundred, so that they differ by percentage points. */
export function isPercentage(measure: UnitInfo): boolean {
  return getUnit(measure) === '%';
}

/** What changes of such values are in. */
export function getChangeUnit(measure: UnitInfo): '%' | 'pp' {
  return isPercentage(measure) ? 'pp' : '%';
}

/** A change with its sign and unit: `+4.2 %`, `−1.3 pp`. */
export function formatChange(change: number, measure: UnitInfo): string {
  return `${formatSigned(change, 1)} ${getChangeUnit(measure)}`;
}

/** A value that is in percent already. */
export function formatPercent(value: number): string {
  return `${formatNumber(value, 1)} %`;
}
