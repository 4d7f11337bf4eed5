import type { ValueDifference } from '../../catalogue/model/diff-records.ts';

/** The most telling difference: a number that became another, else a number, else the first. */
export function findMainDifference(
  differences: readonly ValueDifference[],
): ValueDifference | undefined {
  const isNumber = (value: unknown) => typeof value === 'number';
  return (
    differences.find(({ old, new: current }) => isNumber(old) && isNumber(current)) ??
    differences.find(({ old, new: current }) => isNumber(old) || isNumber(current)) ??
    differences[0]
  );
}

/** Separates periods that were added or removed, with all their values, from other differences. */
export function separatePeriodChanges(differences: readonly ValueDifference[]) {
  const periods = differences.flatMap(({ key, period, ...rest }) =>
    period && key === undefined ? { ...rest, ...period } : [],
  );
  const added = periods.filter(({ old }) => old === undefined);
  const removed = periods.filter(({ new: current }) => current === undefined);
  const dates = new Set([...added, ...removed].map(({ date }) => date));
  return {
    added: added.map(({ label }) => label),
    removed: removed.map(({ label }) => label),
    rest: differences.filter(({ period }) => !period || !dates.has(period.date)),
  };
}
