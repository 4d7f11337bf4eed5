import { memoizeAsync } from '../../memoize.ts';
import type { Selection, StoreReader } from '../../store/open-store.ts';

/** Counts the records that a selection matches in all, as of a revision. */
export type CountTotal = (selection: Selection, revision: number) => Promise<number>;

const MAX_CACHED_TOTALS = 1_000;

/** Every page, and every limit, has the same total. */
export function createTotalCounter(reader: Pick<StoreReader, 'read'>): CountTotal {
  const withoutPage = (selection: Selection, revision: number) => {
    const { after: _, ...all } = { after: undefined, ...selection, limit: 1, asOf: revision };
    return all as Selection;
  };
  return memoizeAsync(
    MAX_CACHED_TOTALS,
    (selection, revision) =>
      JSON.stringify({ ...withoutPage(selection, revision), dataset: selection.dataset.name }),
    async (selection, revision) => {
      const all = { ...withoutPage(selection, revision), includeTotal: true };
      return (await reader.read(all)).total ?? 0;
    },
  );
}
