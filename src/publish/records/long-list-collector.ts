import type { FieldProblem } from '../../schema/validate-record.ts';
import { sumDecimals } from '../../shared/decimals.ts';
import { chooseStatus } from '../cells/status-marks.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { KeyedListSource } from '../mapping/field-sources.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createDrafter, type DraftRecord, type DraftRow, readField } from './draft-record.ts';

/** A keyed list in long format: one row for each key. */
export type LongListSource = KeyedListSource & {
  readonly keyAndValueRows: NonNullable<KeyedListSource['keyAndValueRows']>;
};

/** Collects the rows of a long format into records with one keyed list each. */
export class LongListCollector {
  readonly #draft: DraftRow;
  readonly #records = new Map<string, CollectedRecord>();

  constructor(
    plan: ColumnPlan,
    private readonly list: LongListSource,
    private readonly policies: Pick<Mapping, 'blank' | 'repeatedKeys'>,
  ) {
    const lists = plan.lists.filter(({ name }) => name !== list.name);
    this.#draft = createDrafter(plan, policies.blank, lists);
  }

  add(cells: RowCells, position: number, rowProblems: readonly FieldProblem[]): void {
    const { keyAndValueRows } = this.list;
    const { record, problems: readProblems, status, warnings } = this.#draft(cells, position);
    const problems = [...rowProblems, ...readProblems];
    const key = readField(keyAndValueRows.key, cells, undefined, problems);
    const value = readField(keyAndValueRows.value, cells, this.policies.blank, problems, true);
    // Rows of one record agree in all fields outside the list.
    const identity = JSON.stringify(record);
    const lists = { problems: [], repeats: [], warnings: [] };
    const empty: CollectedRecord = { position, record, values: new Map(), ...lists };
    const collected = this.#records.getOrInsert(identity, empty);
    collected.status = chooseStatus([collected.status, status]);
    collected.warnings.push(...(warnings ?? []));
    // A missing value is a problem already, or a key that the list does not have.
    if (typeof value === 'number') this.#addValue(collected, { key, value, position });
    collected.problems.push(...problems.map((problem) => ({ ...problem, position })));
  }

  #addValue(
    { values, repeats, warnings }: CollectedRecord,
    { key, value, position }: { key: unknown; value: number; position: number },
  ): void {
    const { name, keyAndValueRows } = this.list;
    const previous = values.get(key);
    if (previous !== undefined && this.policies.repeatedKeys === undefined) {
      const rule = 'given once in each record (or the mapping says "repeatedKeys": "add")';
      repeats.push({ field: keyAndValueRows.key.name, value: key, rule, position });
    } else if (previous !== undefined) {
      const text = `${key} comes again with ${value}; added to ${previous}`;
      warnings.push({ rule: 'key-repeated', field: name, value: key, text, position });
    }
    values.set(key, sumDecimals([previous ?? 0, value]));
  }

  /** The records, in the order of their first rows. */
  toDrafts(): DraftRecord[] {
    const { name, keyAndValueRows, hasShares } = this.list;
    return [...this.#records.values()].map(({ values, record, repeats, ...collected }) => {
      const [first] = repeats;
      const isTwice = first && repeats.length > 1 && repeats.length >= values.size * 0.9;
      const [field = '', value] = Object.entries(record)[0] ?? [];
      const rule = `given once: its keys are there from ${collected.position} on, and again`;
      const again = isTwice ? [{ field, value, rule, position: first.position }] : repeats;
      const problems = [...collected.problems, ...again];
      const items = [...values].map(([key, value]) => ({ key, value }));
      if (!hasShares) return { ...collected, problems, record: { ...record, [name]: items } };
      const total = items.reduce((sum, { value }) => sum + value, 0);
      if (total === 0 && items.length > 0) {
        const rule = 'a sum other than 0, since shares are parts of it';
        problems.push({ field: keyAndValueRows.value.name, value: 0, rule });
      }
      const shares = items.map(({ key, value }) => ({ key, value: value / total }));
      return { ...collected, problems, record: { ...record, [name]: shares } };
    });
  }
}

interface CollectedRecord {
  readonly position: number;
  readonly record: Record<string, unknown>;
  readonly values: Map<unknown, number>;
  readonly problems: FieldProblem[];
  /** Of keys that came again. */
  readonly repeats: (FieldProblem & { readonly position: number })[];
  readonly warnings: NonNullable<DraftRecord['warnings']>[number][];
  status?: DraftRecord['status'];
}
