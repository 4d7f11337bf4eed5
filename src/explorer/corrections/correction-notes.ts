import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { formatPair } from '../formatting/value-pair.ts';
import type { CorrectedValue, RevisionCorrections } from './revision-corrections.ts';

/** What a chart tells of: all of it, where nothing else is said. */
interface CorrectionNoteOptions {
  /** What the chart shows, which is told first and without its name. */
  readonly own?: string;
  readonly isTold?: (key: string) => boolean;
}

/** For every period that was corrected, by its place among all: what was, newest revision first. */
export function buildCorrectionNotes(
  amendments: readonly RevisionCorrections[],
  ats: readonly string[],
  { own, isTold = () => true }: CorrectionNoteOptions = {},
): Map<number, string> {
  const placeOf = new Map(ats.map((at, place) => [at, place]));
  const stories = new Map<number, string>();
  for (const { revision, publishedAt, values } of amendments) {
    const told = values.filter(({ key }) => isTold(key));
    for (const [at, those] of Map.groupBy(told, (value) => value.at)) {
      const place = placeOf.get(at);
      if (place === undefined) continue;
      const before = those
        .toSorted((a, b) => Number(b.key === own) - Number(a.key === own))
        .map((value) => formatPreviousValue(value, own));
      const when = formatDayLabel(publishedAt.slice(0, 10));
      const story = `Before revision ${revision} (${when}): ${before.join(', ')}.`;
      stories.set(place, [stories.get(place), story].filter(Boolean).join(' '));
    }
  }
  return stories;
}

/** The places of a part's values that were corrected. */
export function findCorrectedIndexes(
  amendments: readonly RevisionCorrections[],
  ats: readonly string[],
  key: string,
): ReadonlySet<number> {
  const values = amendments.flatMap((amendment) => amendment.values);
  const corrected = values.filter((value) => value.key === key);
  return new Set(corrected.map(({ at }) => ats.indexOf(at)).filter((place) => place >= 0));
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
