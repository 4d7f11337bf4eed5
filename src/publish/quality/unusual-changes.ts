import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** How a measure is compared with its own past. */
export interface ComparedMeasure {
  readonly name: string;
  /** Rates may be 0 or negative: their differences are compared, not their ratios. */
  readonly isRate: boolean;
  /** Flows and stocks have a share of the sum of all series. */
  readonly isAdditive: boolean;
  /** Smaller differences of a rate are never unusual. */
  readonly minDifference: number;
  /** Flows of days may have any size: only levels beyond all of the past are unusual. */
  readonly isDailyFlow: boolean;
  /** As the declaration says: in percent, and in periods. */
  readonly maxChange: number | undefined;
  readonly maxUnchanged: number | undefined;
}

/** The measures of a series; keyed lists are compared by other rules. */
export const listComparedMeasures = memoizeByIdentity(
  ({ declaration, period }: Dataset): readonly ComparedMeasure[] =>
    (declaration?.measures ?? []).map(({ field, kind, unit }) => {
      const checks = (declaration?.checks ?? []).filter((check) => check.field === field);
      const isPercent = unit.toLowerCase().startsWith('percent') || unit === '%';
      return {
        name: field,
        isRate: kind === 'rate',
        isAdditive: kind === 'flow' || kind === 'stock',
        minDifference: isPercent ? WARNING_THRESHOLDS.rateDifference : 0,
        isDailyFlow: kind === 'flow' && period?.kind.hasHolidays === true,
        maxChange: checks.find(({ maxChange }) => maxChange !== undefined)?.maxChange,
        maxUnchanged: checks.find(({ maxUnchanged }) => maxUnchanged !== undefined)?.maxUnchanged,
      };
    }),
);

/** Whether two figures are so near each other that no rule can warn of their change. */
export function isUsualChange(
  { isRate, minDifference, isDailyFlow, maxChange }: ComparedMeasure,
  before: number,
  after: number,
): boolean {
  if (before === after) return true;
  if (maxChange !== undefined && findChange(before, after) > maxChange) return false;
  if (isRate && minDifference > 0 && before > 0 === after > 0)
    return Math.abs(after - before) < minDifference;
  if (before <= 0 || after <= 0) return false;
  const factor = isDailyFlow ? WARNING_THRESHOLDS.flowFactor : WARNING_THRESHOLDS.unusualFactor;
  return after < factor * before && before < factor * after;
}

/** In percent of the first figure. */
function findChange(before: number, after: number): number {
  return before === after ? 0 : (100 * Math.abs(after - before)) / Math.abs(before);
}

/** The figures of a measure in a series: the new one, the one before it, and those before, oldest first. */
export interface FigureHistory {
  readonly label: string;
  readonly previousLabel: string;
  readonly before: number;
  readonly after: number;
  readonly past: readonly number[];
}

/** Warns about a change that is out of proportion to all earlier ones of the series, or that a check excludes. */
export function findUnusualChange(
  measure: ComparedMeasure,
  { label, previousLabel, before, after, past }: FigureHistory,
): Warning | undefined {
  const { name, maxChange } = measure;
  const move = `${name} ${formatRounded(after)} in ${label} was ${formatRounded(before)} in ${previousLabel}`;
  const warn = (rule: Warning['rule'], why: string): Warning => ({
    rule,
    field: name,
    value: after,
    text: `${move}; ${why}`,
  });
  const change = findChange(before, after);
  if (maxChange !== undefined && change > maxChange)
    return warn(
      'change-above-max',
      `${formatRounded(Number(change.toPrecision(3)))} %, at most ${maxChange} % is declared`,
    );
  const values = [...past, before];
  if (isSignFlipped(values, after)) return warn('negative-figure', 'it was never below 0 before');
  if (measure.isDailyFlow)
    return isFlowJump(values, after)
      ? warn('scale-jump', 'far from all earlier figures')
      : undefined;
  const { unusualChanges, minMoves, unusualFactor, unusualMultiple, rateShare } =
    WARNING_THRESHOLDS;
  const isAdditive = measure.isRate || values.some((value) => value <= 0) || after <= 0;
  const scale = (value: number) => (isAdditive ? value : Math.log(value));
  const moves = values
    .slice(1)
    .map((value, index) => Math.abs(scale(value) - scale(values[index] ?? value)));
  const moved = moves.filter((size) => size > 0);
  if (moves.length < unusualChanges || moved.length < minMoves) return undefined;
  const size = Math.abs(scale(after) - scale(before));
  const level = Math.max(...values.map(Math.abs));
  const minimum = !isAdditive
    ? Math.log(unusualFactor)
    : measure.isRate && measure.minDifference > 0
      ? Math.max(measure.minDifference, rateShare * Math.abs(before))
      : Math.max(
          measure.minDifference,
          (unusualFactor - 1) * (measure.isRate ? Math.abs(before) : level),
        );
  if (size < minimum || size <= unusualMultiple * Math.max(...moved)) return undefined;
  return warn(
    'unusual-change',
    `more than ${unusualMultiple} times any of the ${moves.length} changes before`,
  );
}

/** The same size with another sign, if no earlier figure is negative. */
function isSignFlipped(values: readonly number[], after: number): boolean {
  const before = values.at(-1) ?? 0;
  const { unusualFactor } = WARNING_THRESHOLDS;
  const isSameSize = -after < unusualFactor * before && before < unusualFactor * -after;
  return after < 0 && isSameSize && values.every((value) => value >= 0);
}

function isFlowJump(values: readonly number[], after: number): boolean {
  const { flowFactor, minMoves } = WARNING_THRESHOLDS;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length < minMoves || low < 0 || high === 0 || after <= 0) return false;
  return after >= flowFactor * high || after * flowFactor <= low;
}

/** By how much a series has moved at least twice before, as a logarithm; undefined if it is too young to tell. */
export function findUsualMove(values: readonly number[]): number | undefined {
  const moves = values
    .slice(1)
    .map((value, index) => Math.abs(Math.log(value / (values[index] ?? value))))
    .filter(Number.isFinite);
  return moves.length < WARNING_THRESHOLDS.minMoves
    ? undefined
    : moves.toSorted((a, b) => b - a)[1];
}

/** Whether a figure is among the recent ones, so that a jump back to it is not unusual. */
export function isWithinPast(past: readonly number[], after: number): boolean {
  if (past.length < 2) return false;
  return after >= Math.min(...past) && after <= Math.max(...past);
}
