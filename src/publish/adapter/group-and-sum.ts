import { sumDecimals } from '../../shared/decimals.ts';

/** Items with the same key, and the sums of their figures. */
export interface Group<Item, Name extends string> {
  readonly key: string;
  /** The first of the items: `at(group.first, { … })`. */
  readonly first: Item;
  readonly count: number;
  readonly sums: Readonly<Record<Name, number>>;
}

/**
 * Groups rows, or any items, by a key, and adds up figures: 0.1 and 0.2 give 0.3. Items without a key
 * are left out, and blank figures add nothing. No more than one item of each group is in memory.
 */
export async function groupAndSum<Item, Name extends string>(
  items: AsyncIterable<Item> | Iterable<Item>,
  getKey: (item: Item) => string | undefined,
  getFigures: (item: Item) => Readonly<Record<Name, number | undefined>>,
): Promise<Group<Item, Name>[]> {
  type OpenGroup = { key: string; first: Item; count: number; sums: Record<Name, number> };
  const groups = new Map<string, OpenGroup>();
  for await (const item of items) {
    const key = getKey(item);
    if (key === undefined) continue;
    const figures = getFigures(item);
    const empty = { key, first: item, count: 0, sums: {} as Record<Name, number> };
    const group = groups.getOrInsert(key, empty);
    group.count++;
    for (const name in figures)
      group.sums[name] = sumDecimals([group.sums[name] ?? 0, figures[name] ?? 0]);
  }
  return [...groups.values()];
}

/** Each value as its share of their sum: fractions of 1, or percentages if `whole` is 100. */
export function sharesOfTotal(values: readonly number[], whole = 1): number[] {
  const total = sumDecimals(values);
  if (total === 0) throw new RangeError('shares of a total of 0 are not defined');
  return values.map((value) => (value * whole) / total);
}
