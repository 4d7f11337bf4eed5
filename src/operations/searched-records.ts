import { memoizeAsync, memoizeByIdentity } from '../shared/memoize.ts';
import {
  isIndexed,
  keepIndexedFilters,
  MAX_SEARCHED_SERIES,
  type Selection,
  type StoreReader,
} from '../store/open-store.ts';
import type { PlannedSelection } from './plan-query.ts';

/** Whether matches are looked for in all records: no index, nor a few series, have them. */
export function searchesRecords(selection: PlannedSelection): boolean {
  if (selection.kind === 'quotes') return !isIndexed(selection);
  const { dimensions = [] } = selection.kind === 'observations' ? selection : {};
  const series = dimensions.reduce((count, values) => count * (values?.length ?? Infinity), 1);
  return dimensions.some(Boolean) && series > MAX_SEARCHED_SERIES;
}

/** How many records matches are looked for in; none if an index finds them. */
export async function countSearched(
  reader: StoreReader,
  selection: Selection,
): Promise<{ readonly searched?: number }> {
  if (!searchesRecords(selection)) return {};
  if (selection.kind === 'quotes')
    return { searched: await countMatches(reader, keepIndexedFilters(selection)) };
  const { dimensions: _, ...all } = selection as Extract<Selection, { kind: 'observations' }>;
  return { searched: await countMatches(reader, all) };
}

/** The number of matches, which every page and every limit have in common. */
export function countMatches(reader: StoreReader, selection: Selection) {
  const { after: _, asNdjson: __, ...all } = selection as Extract<Selection, { kind: 'quotes' }>;
  return getCounter(reader)({ ...all, limit: 1 });
}

const MAX_CACHED_TOTALS = 1_000;

const getCounter = memoizeByIdentity((reader: StoreReader) =>
  memoizeAsync(
    MAX_CACHED_TOTALS,
    (selection: Selection) => JSON.stringify({ ...selection, dataset: selection.dataset.name }),
    async (selection) => {
      const { total = 0 } = await reader.read({ ...selection, includeTotal: true });
      return total;
    },
  ),
);
