import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { formatPair } from '../formatting/value-pair.ts';
import type { CorrectedValue, RevisionCorrections } from './revision-corrections.ts';

interface CorrectionNoteOptions {
  /** The value that the chart shows: it comes first and without its name. */
  readonly chartKey?: string;
  readonly isIncluded?: (key: string) => boolean;
}

/** By period index: a note with the previous values of each corrected period, newest first. */
export function buildCorrectionNotes(
  corrections: readonly RevisionCorrections[],
  periodKeys: readonly string[],
  { chartKey, isIncluded = () => true }: CorrectionNoteOptions = {},
): Map<number, string> {
  const indexes = new Map(periodKeys.map((key, index) => [key, index]));
  const notes = new Map<number, string>();
  for (const { revision, publishedAt, values } of corrections) {
    const included = values.filter(({ key }) => isIncluded(key));
    for (const [periodKey, group] of Map.groupBy(included, (value) => value.periodKey)) {
      const index = indexes.get(periodKey);
      if (index === undefined) continue;
      const previous = group
        .toSorted((a, b) => Number(b.key === chartKey) - Number(a.key === chartKey))
        .map((value) => formatPreviousValue(value, chartKey));
      const day = formatDayLabel(publishedAt.slice(0, 10));
      const note = `Before revision ${revision} (${day}): ${previous.join(', ')}.`;
      notes.set(index, [notes.get(index), note].filter(Boolean).join(' '));
    }
  }
  return notes;
}

/** The indexes of the periods in which a value was corrected. */
export function findCorrectedIndexes(
  corrections: readonly RevisionCorrections[],
  periodKeys: readonly string[],
  key: string,
): ReadonlySet<number> {
  const values = corrections.flatMap((revision) => revision.values);
  const indexes = values
    .filter((value) => value.key === key)
    .map(({ periodKey }) => periodKeys.indexOf(periodKey));
  return new Set(indexes.filter((index) => index >= 0));
}

/** `Cash 9.3 %`. */
function formatPreviousValue(value: CorrectedValue, chartKey: string | undefined): string {
  const { key, title, unitInfo } = value;
  const old = formatPair(value.old, value.new, unitInfo).old;
  const text = old === NO_VALUE ? 'none' : `${old} ${getUnit(unitInfo)}`.trim();
  return key === chartKey ? text : `${title} ${text}`;
}
