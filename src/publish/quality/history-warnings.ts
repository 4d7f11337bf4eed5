import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { NO_WARNINGS, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** Whether the figures of a series have a size: shares of a whole have none. */
export function hasScale(dataset: Dataset): boolean {
  return getScaleFields(dataset).length > 0;
}

/**
 * Warns of totals that are far from those of the period before, with the ordinals of both; records in
 * any order.
 */
export function findScaleJumps(dataset: Dataset, records: readonly AnyRecord[]) {
  const { period } = dataset;
  const fields = getScaleFields(dataset);
  if (!period || fields.length === 0) return [];
  const totals = records
    .map((record) => {
      const label = String(record[period.field]);
      const total = fields.reduce((sum, field) => sum + Number(record[field]), 0);
      return { label, ordinal: period.kind.toOrdinal(label) ?? Number.NaN, total };
    })
    .sort((a, b) => a.ordinal - b.ordinal);
  const name = fields.join(' + ');
  const jumps: { ordinal: number; previousOrdinal: number; warning: Warning }[] = [];
  for (const [index, { label, ordinal, total }] of totals.entries()) {
    const previous = totals[index - 1];
    if (!previous || ordinal - previous.ordinal > WARNING_THRESHOLDS.scalePeriods) continue;
    if (!isScaleJump(previous.total, total)) continue;
    const text = `${name} ${formatRounded(total)} in ${label} was ${formatRounded(previous.total)} in ${previous.label}; a factor of ${formatFactor(total / previous.total)}, bound ${WARNING_THRESHOLDS.scaleFactor}`;
    const warning = { rule: 'scale-jump', field: fields[0] ?? '', value: total, text } as const;
    jumps.push({ ordinal, previousOrdinal: previous.ordinal, warning });
  }
  return jumps;
}

function isScaleJump(before: number, after: number): boolean {
  if (before <= 0 || after <= 0) return false;
  const { scaleFactor } = WARNING_THRESHOLDS;
  return after >= scaleFactor * before || before >= scaleFactor * after;
}

function formatFactor(factor: number): string {
  return factor.toPrecision(3).replace(/\.0+$/, '');
}

/** The total of a series, else the figures that add up to its size. */
function getScaleFields({ chart, fields, period }: Dataset): string[] {
  if (!period) return [];
  if (chart?.total) return [chart.total];
  return Object.keys(fields).filter((name) =>
    ['amount', 'count'].includes(fields[name]?.kind ?? ''),
  );
}

/** Warns of periods missing between the first and last; these may repeat, in any order. */
export function findPeriodGaps(
  { period }: Pick<Dataset, 'period'>,
  records: readonly AnyRecord[],
): readonly Warning[] {
  if (!period) return NO_WARNINGS;
  const { field, kind } = period;
  const ordinals = records.map((record) => kind.toOrdinal(String(record[field])) ?? Number.NaN);
  const sorted = [...new Set(ordinals)].sort((a, b) => a - b);
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? first;
  const count = last - first + 1 - sorted.length;
  if (sorted.length === 0 || count === 0) return NO_WARNINGS;
  const labels = findFirstMissing(sorted).map(kind.formatLabel);
  const remaining = count > labels.length ? `, and ${count - labels.length} more` : '';
  const range = `from ${kind.formatLabel(first)} to ${kind.formatLabel(last)}`;
  const text = `${count} missing ${range}: ${labels.join(', ')}${remaining}`;
  return [{ rule: 'period-gap', field, value: labels[0], text }];
}

const MAX_LISTED_PERIODS = 5;

/** The first few: a wrong year can open a gap of thousands. */
function findFirstMissing(sorted: readonly number[]): number[] {
  const missing: number[] = [];
  for (const [index, ordinal] of sorted.entries()) {
    const next = sorted[index + 1] ?? ordinal;
    for (let gap = ordinal + 1; gap < next; gap += 1)
      if (missing.push(gap) === MAX_LISTED_PERIODS) return missing;
  }
  return missing;
}

/** A day, and how many quotes it has. */
export interface DayCount {
  readonly date: string;
  readonly count: number;
}

/** Warns of a newest day with far fewer quotes than the days before it; the newest day is first. */
export function findThinDay([newest, ...earlier]: readonly DayCount[]): Warning | undefined {
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
