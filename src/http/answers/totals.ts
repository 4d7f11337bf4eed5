import type { Reader, Selection } from '../../store/index.ts';

/** How many records a selection finds in all, at a revision. */
export type Totals = (selection: Selection, revision: number) => Promise<number>;

const MOST_REMEMBERED = 1_000;

/** Remembers what it counted: every page of a walk, and every limit, has the same total. */
export function totals(reader: Pick<Reader, 'read'>): Totals {
  const known = new Map<string, number>();
  return async (selection, revision) => {
    const { after: _, ...whole } = { after: undefined, ...selection, limit: 1, asOf: revision };
    const key = JSON.stringify({ ...whole, dataset: selection.dataset.name });
    const counted = known.get(key);
    if (counted !== undefined) return counted;
    const { total = 0 } = await reader.read({ ...whole, counted: true } as Selection);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, total);
    return total;
  };
}
