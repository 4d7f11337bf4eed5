import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

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
