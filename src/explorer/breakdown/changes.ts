import { formatNumber, formatSigned, getUnit, type UnitInfo } from '../formatting/numbers.ts';
import type { BreakdownComponent, PeriodValues } from './component.ts';

/** The change of each value against the one `step` periods before. */
export function computeChanges(
  { values, unitInfo }: Pick<BreakdownComponent, 'values' | 'unitInfo'>,
  step: number,
): PeriodValues {
  return values.map((value, index) => computeChange(value, values[index - step], unitInfo));
}

/** The change between two values: in percent of a positive value, of percentages in points. */
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

/** The unit of a change: percentages differ by percentage points. */
export function getChangeUnit(unitInfo: UnitInfo): '%' | 'pp' {
  return isPercentage(unitInfo) ? 'pp' : '%';
}

/** `+4.2 %`, `−1.3 pp`. */
export function formatChange(change: number, unitInfo: UnitInfo): string {
  return `${formatSigned(change, 1)} ${getChangeUnit(unitInfo)}`;
}

/** Formats a value that is in percent already. */
export function formatPercent(value: number): string {
  return `${formatNumber(value, 1)} %`;
}
