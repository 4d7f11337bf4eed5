import type { Selection, StoreReader } from '../../store/open-store.ts';

/** How many records a selection finds in all, at a revision. */
export type CountTotal = (selection: Selection, revision: number) => Promise<number>;

const MAX_CACHED_TOTALS = 1_000;

/** Remembers what it counted: every page of a walk, and every limit, has the same total. */
export function createTotalCounter(reader: Pick<StoreReader, 'read'>): CountTotal {
  const known = new Map<string, number>();
  return async (selection, revision) => {
    const { after: _, ...whole } = { after: undefined, ...selection, limit: 1, asOf: revision };
    const key = JSON.stringify({ ...whole, dataset: selection.dataset.name });
    const counted = known.get(key);
    if (counted !== undefined) return counted;
    const { total = 0 } = await reader.read({ ...whole, includeTotal: true } as Selection);
    if (known.size >= MAX_CACHED_TOTALS) known.clear();
    known.set(key, total);
    return total;
  };
}
