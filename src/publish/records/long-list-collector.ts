import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { KeyedListSource } from '../mapping/field-sources.ts';
import { sumDecimals } from '../mapping/scale-figures.ts';
import type { BlankPolicy, DraftRecord } from './draft-record.ts';
import { createDrafter, readValue } from './draft-record.ts';
import { readKeyedValue } from './keyed-list.ts';

/** What happens to a key that comes twice in one list: refused where undefined. */
export type RepeatedKeyPolicy = 'add' | undefined;

/** Gathers rows into records: one row for each key of a list. */
export function createLongListCollector(
  plan: ColumnPlan,
  { name: list, keyAndValueRows }: LongListSource,
  blank: BlankPolicy,
  repeated: RepeatedKeyPolicy,
) {
  const draft = createDrafter(
    { ...plan, lists: plan.lists.filter(({ name }) => name !== list) },
    blank,
  );
  const gathered = new Map<string, CollectedRecord>();
  const put = (
    group: CollectedRecord,
    { key, value }: KeyAndValue,
    at: number,
    problems: FieldProblem[],
  ): void => {
    const before = group.values.get(key);
    if (before !== undefined && repeated === undefined) {
      const rule = 'given once in each record (or the mapping says "repeatedKeys": "add")';
      problems.push({ field: keyAndValueRows.key.name, value: key, rule });
    } else if (before !== undefined) {
      const text = `${key} comes again with ${value}; added to ${before}`;
      group.warnings.push({ rule: 'key-repeated', field: list, value: key, text, at });
    }
    group.values.set(key, sumDecimals([before ?? 0, value]));
  };
  return {
    add(cells: RowCells, at: number, rowProblems: readonly FieldProblem[]): void {
      const { record, problems: found } = draft(cells, at);
      const problems = [...rowProblems, ...found];
      const key = readValue(keyAndValueRows.key, cells, undefined, problems);
      const value = readKeyedValue(keyAndValueRows.value, cells, blank, problems);
      // What is not in the list is the same in every row of a record, or they are two records.
      const name = JSON.stringify(record);
      const group: CollectedRecord = gathered.get(name) ?? {
        position: at,
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
    drafts(): DraftRecord[] {
      return [...gathered.values()].map(({ values, record, problems, ...rest }) => {
        const items = [...values].map(([key, value]) => ({ key, value }));
        const total = items.reduce((sum, { value }) => sum + value, 0);
        if (!keyAndValueRows.share)
          return { ...rest, problems, record: { ...record, [list]: items } };
        const shares = items.map(({ key, value }) => ({ key, value: value / total }));
        return {
          ...rest,
          problems: [...problems, ...checkShareTotal(items, total, keyAndValueRows.value.name)],
          record: { ...record, [list]: shares },
        };
      });
    },
  };
}

/** A list that is spread over rows. */
export type LongListSource = KeyedListSource & {
  readonly keyAndValueRows: NonNullable<KeyedListSource['keyAndValueRows']>;
};

interface CollectedRecord {
  readonly position: number;
  readonly record: Record<string, unknown>;
  readonly values: Map<unknown, number>;
  readonly problems: FieldProblem[];
  readonly warnings: NonNullable<DraftRecord['warnings']>[number][];
}

interface KeyAndValue {
  readonly key: unknown;
  readonly value: number;
}

/** Of nothing at all there are no shares. */
function checkShareTotal(
  items: readonly KeyAndValue[],
  total: number,
  field: string,
): FieldProblem[] {
  if (total !== 0 || items.length === 0) return [];
  return [{ field, value: 0, rule: 'a sum other than 0, since shares are parts of it' }];
}
