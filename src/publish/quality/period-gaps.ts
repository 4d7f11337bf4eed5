import type { PeriodKind } from '../../catalogue/model/period.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

/**
 * A warning where periods are missing between the first and the last of these places, which come
 * in any order and may repeat. `field` is the one that holds the series' period.
 */
export function findPeriodGaps(
  kind: PeriodKind,
  places: readonly number[],
  field = 'period',
): readonly Warning[] {
  const held = [...new Set(places)].sort((a, b) => a - b);
  const [first = 0] = held;
  const last = held.at(-1) ?? first;
  const count = last - first + 1 - held.length;
  if (held.length === 0 || count === 0) return NO_WARNINGS;
  const named = findFirstMissing(held).map(kind.formatLabel);
  const more = count > named.length ? `, and ${count - named.length} more` : '';
  const range = `from ${kind.formatLabel(first)} to ${kind.formatLabel(last)}`;
  const text = `${count} missing ${range}: ${named.join(', ')}${more}`;
  return [{ rule: 'period-gap', field, value: named[0], text }];
}

const MAX_LISTED_PERIODS = 5;

/** The first few: a slip in a year can open a gap of thousands. */
function findFirstMissing(held: readonly number[]): number[] {
  const missing: number[] = [];
  for (const [index, place] of held.entries()) {
    const next = held[index + 1] ?? place;
    for (let gap = place + 1; gap < next; gap += 1) {
      if (missing.push(gap) === MAX_LISTED_PERIODS) return missing;
    }
  }
  return missing;
}
