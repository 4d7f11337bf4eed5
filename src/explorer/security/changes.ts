import { dayWords } from '../figures/days.ts';
import { figure, unitOf } from '../figures/figures.ts';
import { type Correction, figureIn, type Quote } from '../quotes/quote.ts';
import type { Entry, FieldEntry } from '../service/catalogue.ts';

/** What a correction did to a field. */
export interface FieldChange {
  readonly field: FieldEntry;
  readonly old: string;
  readonly new: string;
  /** What both are measured in; empty where that is nothing. */
  readonly unit: string;
}

/** The fields that a correction changed, in the order of the catalogue; of a retired quote, none. */
export function changesIn({ old, new: now }: Correction, entry: Entry): FieldChange[] {
  if (now === null) return [];
  return entry.fields
    .filter(({ name }) => old[name as keyof Quote] !== now[name as keyof Quote])
    .map((field) => ({ field, unit: unitOf(field), ...pairOf(old, now, field) }));
}

/** Which fields a chart tells of: its own first, without its name, which stands above it. */
export interface Telling {
  readonly own: string;
  readonly isTold: (field: FieldEntry) => boolean;
}

/** By day, what a chart tells of its corrected points, newest correction first. */
export function storiesOf(
  corrections: readonly Correction[],
  entry: Entry,
  telling: Telling,
): Map<string, string> {
  const stories = new Map<string, string>();
  for (const correction of corrections) {
    const story = storyOf(correction, entry, telling);
    if (story === undefined) continue;
    const { date } = correction.old;
    stories.set(date, [stories.get(date), story].filter(Boolean).join(' '));
  }
  return stories;
}

function storyOf(correction: Correction, entry: Entry, telling: Telling): string | undefined {
  const { revision, publishedAt } = correction;
  const isOwn = ({ name }: FieldEntry) => name === telling.own;
  const before = changesIn(correction, entry)
    .filter(({ field }) => telling.isTold(field))
    .toSorted((a, b) => Number(isOwn(b.field)) - Number(isOwn(a.field)))
    .map(({ field, old, unit }) => {
      const value = `${old} ${unit}`.trim();
      return isOwn(field) ? value : `${field.meaning} ${value}`;
    });
  if (before.length === 0) return undefined;
  const when = dayWords(publishedAt.slice(0, 10));
  return `Before revision ${revision} (${when}): ${before.join(', ')}.`;
}

/** As the page writes it; in full where two values would look alike that way. */
function pairOf(old: Quote, now: Quote, field: FieldEntry): Pick<FieldChange, 'old' | 'new'> {
  const [before, after] = [wordsOf(old, field), wordsOf(now, field)];
  if (before !== after) return { old: before, new: after };
  const name = field.name as keyof Quote;
  return { old: String(old[name]), new: String(now[name]) };
}

function wordsOf(quote: Quote, field: FieldEntry): string {
  const value = figureIn(quote, field);
  if (value === undefined) return 'none';
  return field.kind === 'day' ? dayWords(String(value)) : figure(value, field);
}
