import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { formatPair } from '../formatting/value-pair.ts';
import type { CorrectedValue, RevisionCorrections } from './revision-corrections.ts';

/** What a chart tells of: all of it, where nothing else is said. */
interface CorrectionNoteOptions {
  /** What the chart shows, which is told first and without its name. */
  readonly chartKey?: string;
  readonly isIncluded?: (key: string) => boolean;
}

/** For every period that was corrected, by its place among all: what was, newest revision first. */
export function buildCorrectionNotes(
  corrections: readonly RevisionCorrections[],
  ats: readonly string[],
  { chartKey, isIncluded = () => true }: CorrectionNoteOptions = {},
): Map<number, string> {
  const placeOf = new Map(ats.map((at, index) => [at, index]));
  const pointNotes = new Map<number, string>();
  for (const { revision, publishedAt, values } of corrections) {
    const told = values.filter(({ key }) => isIncluded(key));
    for (const [at, those] of Map.groupBy(told, (value) => value.periodKey)) {
      const place = placeOf.get(at);
      if (place === undefined) continue;
      const before = those
        .toSorted((a, b) => Number(b.key === chartKey) - Number(a.key === chartKey))
        .map((value) => formatPreviousValue(value, chartKey));
      const when = formatDayLabel(publishedAt.slice(0, 10));
      const story = `Before revision ${revision} (${when}): ${before.join(', ')}.`;
      pointNotes.set(place, [pointNotes.get(place), story].filter(Boolean).join(' '));
    }
  }
  return pointNotes;
}

/** The places of a part's values that were corrected. */
export function findCorrectedIndexes(
  corrections: readonly RevisionCorrections[],
  ats: readonly string[],
  key: string,
): ReadonlySet<number> {
  const values = corrections.flatMap((amendment) => amendment.values);
  const corrected = values.filter((value) => value.key === key);
  return new Set(
    corrected.map(({ periodKey }) => ats.indexOf(periodKey)).filter((place) => place >= 0),
  );
}

/** `Cash 9.3 %`. */
function formatPreviousValue(
  { key, title, measure, old, new: now }: CorrectedValue,
  own: string | undefined,
) {
  const text = formatPair(old, now, measure).old;
  const value = text === NO_VALUE ? 'none' : `${text} ${getUnit(measure)}`.trim();
  return key === own ? value : `${title} ${value}`;
}
