import type { PeriodKind } from '../../catalogue/model/period.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

/**
 * A warning where periods are missing between the first and the last of these ordinals, which may
 * be in any order and repeat.
 */
export function findPeriodGaps(
  kind: PeriodKind,
  ordinals: readonly number[],
  field = 'period',
): readonly Warning[] {
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
    for (let gap = ordinal + 1; gap < next; gap += 1) {
      if (missing.push(gap) === MAX_LISTED_PERIODS) return missing;
    }
  }
  return missing;
}
