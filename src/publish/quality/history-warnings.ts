import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findMissingPeriods } from '../../catalogue/model/expected-periods.ts';
import type { Completeness } from '../../store/series-coverage.ts';
import { NO_WARNINGS, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/**
 * Warns about periods missing between the first and last of some ordinals, given in any order; with those that
 * were published before, only of gaps that begin or end with another one.
 */
export function findPeriodGaps(
  { period }: Pick<Dataset, 'period'>,
  places: Iterable<number>,
  published: readonly number[] = [],
): readonly Warning[] {
  if (!period) return NO_WARNINGS;
  const { field, kind } = period;
  const ordinals = [...places].sort((a, b) => a - b);
  const missing = findMissingPeriods(kind, ordinals).filter(
    createNewGapFilter(ordinals, published),
  );
  if (missing.length === 0) return NO_WARNINGS;
  // Only the first few, because a wrong year can open a gap of thousands.
  const labels = missing.slice(0, MAX_LISTED_PERIODS).map(kind.formatLabel);
  const count = missing.length;
  const remaining = count > labels.length ? `, and ${count - labels.length} more` : '';
  const isPart = published.length > 0;
  const [start = 0, end = start] = isPart ? [missing[0], missing.at(-1)] : [];
  const first = (isPart ? ordinals.findLast((each) => each < start) : ordinals[0]) ?? 0;
  const last = (isPart ? ordinals.find((each) => each > end) : ordinals.at(-1)) ?? first;
  const range = `from ${kind.formatLabel(first)} to ${kind.formatLabel(last)}`;
  const text = `${count} missing ${range}: ${labels.join(', ')}${remaining}`;
  return [{ rule: 'period-gap', field, value: labels[0], text }];
}

function createNewGapFilter(ordinals: readonly number[], published: readonly number[]) {
  if (published.length === 0) return () => true;
  const known = new Set(published);
  const ends = ordinals.slice(1).map((end, index) => [ordinals[index] ?? end, end] as const);
  const gaps = ends.filter(
    ([start, end]) => end > start + 1 && !(known.has(start) && known.has(end)),
  );
  return (ordinal: number) => gaps.some(([start, end]) => start < ordinal && ordinal < end);
}

const MAX_LISTED_PERIODS = 5;

/** A warning for each series that a period lacks; keys of lists have a rule of their own. */
export function findMissingSeriesWarnings(
  { period, declaration }: Dataset,
  { place, previousPlace, expected, missing }: Completeness,
): Warning[] {
  const format = (ordinal: number) => period?.kind.formatLabel(ordinal) ?? '';
  const field = declaration?.dimensions?.[0]?.field;
  if (field === undefined) return [];
  return missing.map((values) => {
    const value = values.join(' ');
    const text = `${value} has no figure of ${format(place)}, unlike ${format(previousPlace)}: ${expected - missing.length} of ${expected} series are there`;
    return { rule: 'series-missing', field, value, text };
  });
}

/** A day with its number of quotes. */
export interface DayQuoteCount {
  readonly date: string;
  readonly count: number;
}

/** Warns about a newest day with far fewer quotes than earlier days; days are given newest first. */
export function findThinDay([newest, ...earlier]: readonly DayQuoteCount[]): Warning | undefined {
  const { thinDayShare, thinDayDays, thinDayMinQuotes } = WARNING_THRESHOLDS;
  if (!newest || earlier.length < thinDayDays) return undefined;
  const counts = earlier.slice(0, thinDayDays).map(({ count }) => count);
  const median = counts.toSorted((a, b) => a - b)[Math.floor(thinDayDays / 2)] ?? 0;
  if (median < thinDayMinQuotes || newest.count >= thinDayShare * median) return undefined;
  const { date, count } = newest;
  const quotes = count === 1 ? '1 quote' : `${count} quotes`;
  const text = `${date}, the newest day, has ${quotes}; the median of the ${thinDayDays} days before it is ${median}`;
  return { rule: 'thin-day', field: 'date', value: date, text };
}
