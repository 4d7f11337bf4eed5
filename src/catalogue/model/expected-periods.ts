import type { PeriodKind } from './period.ts';

/**
 * Finds the periods missing between those of a dataset, given by ordinals in any order. Days are judged by
 * the dataset's own past: none is missing on a weekday that usually has no records, nor in gaps as long as
 * those that occur at least every other year, such as holidays.
 */
export function findMissingPeriods(
  { hasHolidays }: PeriodKind,
  ordinals: readonly number[],
): number[] {
  const sorted = sortOrdinals(ordinals);
  const isUsual = hasHolidays ? createUsualDays(sorted) : () => true;
  const runs = sorted.map((ordinal, index) => {
    const run: number[] = [];
    for (let next = ordinal + 1; next < (sorted[index + 1] ?? ordinal); next++)
      if (isUsual(next)) run.push(next);
    return run;
  });
  if (!hasHolidays) return runs.flat();
  const years = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / 365;
  const lengths = runs.map((run) => run.length).sort((a, b) => b - a);
  const usualLength = lengths[Math.max(1, Math.floor(years / 2))] ?? 0;
  return runs.filter((run) => run.length > usualLength).flat();
}

/** Finds the day that follows those of a dataset; undefined if they do not allow a guess. */
export function findNextDay(days: readonly number[]): number | undefined {
  const sorted = sortOrdinals(days);
  const next = (sorted.at(-1) ?? 0) + 1;
  return Array.from({ length: 7 }, (_, index) => next + index).find(createUsualDays(sorted));
}

/** Whether at least half of the weeks with records include the weekday; never true if weeks are skipped. */
function createUsualDays(days: readonly number[]): (day: number) => boolean {
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? 0));
  const medianStep = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  if (medianStep > 7) return () => false;
  // Weeks may begin on any day here.
  const weekCount = new Set(days.map((day) => Math.floor(day / 7))).size;
  const byWeekday = Map.groupBy(days, getWeekday);
  return (day) => 2 * (byWeekday.get(getWeekday(day))?.length ?? 0) >= weekCount;
}

const getWeekday = (day: number) => ((day % 7) + 7) % 7;

const sortOrdinals = (ordinals: readonly number[]) => [...new Set(ordinals)].sort((a, b) => a - b);
