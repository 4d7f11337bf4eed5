import type { Problem } from '../../derive/record.ts';
import { sumOf } from '../mapping/adjust.ts';
import type { Cells } from '../mapping/made.ts';
import type { Plan } from '../mapping/plan.ts';
import type { ListSource } from '../mapping/sources.ts';
import type { Blank, Draft } from './draft.ts';
import { drafter, readValue } from './draft.ts';
import { readListed } from './list.ts';

/** What happens to a key that comes twice in one list: refused where undefined. */
export type RepeatedKeys = 'add' | undefined;

/** Gathers rows into records: one row for each key of a list. */
export function gatherer(
  plan: Plan,
  { name: list, long }: LongList,
  blank: Blank,
  repeated: RepeatedKeys,
) {
  const draft = drafter({ ...plan, lists: plan.lists.filter(({ name }) => name !== list) }, blank);
  const gathered = new Map<string, Gathered>();
  const put = (group: Gathered, { key, value }: Keyed, at: number, problems: Problem[]): void => {
    const before = group.values.get(key);
    if (before !== undefined && repeated === undefined) {
      const rule = 'given once in each record (or the mapping says "repeatedKeys": "add")';
      problems.push({ field: long.key.name, value: key, rule });
    } else if (before !== undefined) {
      const text = `${key} comes again with ${value}; added to ${before}`;
      group.warnings.push({ rule: 'key-repeated', field: list, value: key, text, at });
    }
    group.values.set(key, sumOf([before ?? 0, value]));
  };
  return {
    add(cells: Cells, at: number, rowProblems: readonly Problem[]): void {
      const { record, problems: found } = draft(cells, at);
      const problems = [...rowProblems, ...found];
      const key = readValue(long.key, cells, undefined, problems);
      const value = readListed(long.value, cells, blank, problems);
      // What is not in the list is the same in every row of a record, or they are two records.
      const name = JSON.stringify(record);
      const group: Gathered = gathered.get(name) ?? {
        at,
        record,
        values: new Map(),
        problems: [],
        warnings: [],
      };
      gathered.set(name, group);
      // A value that is wanting is named already, or is not in the list.
      if (typeof value === 'number') put(group, { key, value }, at, problems);
      group.problems.push(...problems.map((problem) => ({ ...problem, at })));
    },
    /** The records, in the order in which they began. */
    drafts(): Draft[] {
      return [...gathered.values()].map(({ values, record, problems, ...rest }) => {
        const items = [...values].map(([key, value]) => ({ key, value }));
        const total = items.reduce((sum, { value }) => sum + value, 0);
        if (!long.share) return { ...rest, problems, record: { ...record, [list]: items } };
        const shares = items.map(({ key, value }) => ({ key, value: value / total }));
        return {
          ...rest,
          problems: [...problems, ...shareless(items, total, long.value.name)],
          record: { ...record, [list]: shares },
        };
      });
    },
  };
}

/** A list that is spread over rows. */
export type LongList = ListSource & { readonly long: NonNullable<ListSource['long']> };

interface Gathered {
  readonly at: number;
  readonly record: Record<string, unknown>;
  readonly values: Map<unknown, number>;
  readonly problems: Problem[];
  readonly warnings: NonNullable<Draft['warnings']>[number][];
}

interface Keyed {
  readonly key: unknown;
  readonly value: number;
}

/** Of nothing at all there are no shares. */
function shareless(items: readonly Keyed[], total: number, field: string): Problem[] {
  if (total !== 0 || items.length === 0) return [];
  return [{ field, value: 0, rule: 'a sum other than 0, since shares are parts of it' }];
}
