import type { Amended, Amendment } from '../composition/amendments.ts';
import { type Figure, figuresIn } from '../composition/figures-in.ts';
import type { Correction, Entry } from '../service/catalogue.ts';
import type { Series } from './series.ts';

/** What corrections did to the figures of a series, newest first. */
export function amendmentsOf(
  entry: Pick<Entry, 'fields' | 'period'>,
  { figures }: Pick<Series, 'figures'>,
  corrections: readonly Correction[],
): Amendment[] {
  const parts = new Map(figures.map((part) => [part.key, part]));
  return corrections.map(({ revision, publishedAt, old, new: now }) => {
    const period = String((now ?? old)[entry.period?.field ?? '']);
    const known = { revision, publishedAt, added: [] };
    if (!now) return { ...known, figures: [], removed: [period] };
    const [before, after] = [figuresIn(entry, old), figuresIn(entry, now)];
    const changed = [...before, ...after.filter(({ key }) => !before.some((f) => f.key === key))]
      .map((figure): Amended => {
        const { key } = figure;
        const { title, measure } = parts.get(key) ?? figure;
        const values = { old: valueIn(before, key), new: valueIn(after, key) };
        return { period, at: period, key, title, measure, ...values };
      })
      .filter((figure) => figure.old !== figure.new);
    return { ...known, figures: changed, removed: [] };
  });
}

function valueIn(figures: readonly Figure[], wanted: string): number | undefined {
  return figures.find(({ key }) => key === wanted)?.value;
}
