import { period } from '../../catalogue/model/field-builders.ts';
import { chooseStatus } from '../../catalogue/model/observation-status.ts';
import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { isDay } from '../../shared/calendar.ts';
import { sumDecimals } from '../../shared/decimals.ts';
import { type ConvertCell, createConverter } from '../cells/create-converter.ts';
import { type ColumnPlan, createColumnPlanner } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { KeyedListSource } from '../mapping/field-sources.ts';
import { getFieldTargets, getFundRowTargets } from '../mapping/field-targets.ts';
import type { Mapping } from '../mapping/mapping.ts';
import {
  type BlankPolicy,
  createDrafter,
  type DraftContext,
  type DraftRecord,
  type DraftRow,
  readField,
} from './draft-record.ts';
import type { CreatePlan } from './find-header.ts';
import { FundBuilder, type FundRow, formatMonthOfDay, resolvePeriodEnd } from './fund-builder.ts';

/** Turns a row into a draft record, or buffers it until all rows of its record are read. */
export type RowHandler = (
  cells: RowCells,
  position: number,
  problems: readonly FieldProblem[],
) => DraftRecord | undefined;

export class RecordAssembler {
  readonly #collectors: (FundCollector | LongListCollector)[] = [];

  constructor(private readonly context: DraftContext) {}

  /** Plans how to read records, or rows with one class of a fund each. */
  createPlanner(isLongFund: boolean): CreatePlan {
    const { dataset, mapping, valueFormat, externalColumns } = this.context;
    const targets = isLongFund ? getFundRowTargets(dataset) : getFieldTargets(dataset);
    return createColumnPlanner(targets, mapping, valueFormat, externalColumns);
  }

  createRowHandler(plan: ColumnPlan, isLongFund: boolean): RowHandler {
    const collector = this.#createCollector(plan, isLongFund);
    if (collector) {
      this.#collectors.push(collector);
      return (...row) => void collector.add(...row);
    }
    const draft = createDrafter(plan, this.context.mapping.blank);
    return (cells, position, problems) => {
      const record = draft(cells, position);
      return problems.length === 0
        ? record
        : { ...record, problems: [...problems, ...record.problems] };
    };
  }

  /** The draft records that span several rows. */
  async finish(): Promise<DraftRecord[]> {
    return (await Promise.all(this.#collectors.map((collector) => collector.toDrafts()))).flat();
  }

  #createCollector(plan: ColumnPlan, isLongFund: boolean) {
    if (isLongFund) return new FundCollector(plan, this.context);
    const isLong = (list: KeyedListSource): list is LongListSource => !!list.keyAndValueRows;
    const longList = plan.lists.find(isLong);
    return longList && new LongListCollector(plan, longList, this.context.mapping);
  }
}

/** Current periods that the rows do not name stay, unless the rows replace everything. */
class FundCollector {
  readonly #draft: DraftRow;
  readonly #toMonth: ConvertCell;
  readonly #funds = new Map<string, FundBuilder>();

  constructor(
    plan: ColumnPlan,
    private readonly context: DraftContext,
  ) {
    // A row without class and value only declares a period; a row without a day only a class.
    const fields = plan.fields.map((source) =>
      source.name === 'class' || source.name === 'value' ? { ...source, isOptional: true } : source,
    );
    this.#draft = createDrafter({ ...plan, fields }, undefined);
    this.#toMonth = createConverter(period(monthly, 'Month'), context.valueFormat);
  }

  add(cells: RowCells, position: number, rowProblems: readonly FieldProblem[]): void {
    const { record, problems: readProblems } = this.#draft(cells, position);
    const { fund_id, period: label, date, class: name, value: cell, ...attributes } = record;
    const value = typeof cell === 'number' ? cell : undefined;
    const id = String(fund_id);
    const fund = this.#funds.getOrInsertComputed(id, () => new FundBuilder(id, position));
    const problems = [...rowProblems, ...readProblems];
    if (cell !== undefined && value === undefined)
      problems.push({ field: 'value', value: cell, rule: 'a number' });
    fund.setAttributes(attributes, problems);
    // A period that is named by a day keeps its name, even on the first day of a month.
    const month = isDay(String(label)) ? undefined : this.#toMonth(label);
    const day = resolvePeriodEnd(label, date, month, problems);
    const periodLabel = typeof month === 'string' ? month : (label ?? formatMonthOfDay(day) ?? '');
    const missing = findMissingCell({ day, name, value }, this.context.mapping.blank);
    // A cell that cannot be read is already a problem.
    if (missing && problems.length === 0) problems.push(missing);
    fund.addRow({ day, label: String(periodLabel), name, value }, position, problems);
    fund.problems.push(...problems.map((problem) => ({ ...problem, position })));
  }

  async toDrafts(): Promise<DraftRecord[]> {
    const drafts: DraftRecord[] = [];
    for (const fund of this.#funds.values())
      drafts.push(fund.build(await this.context.findCurrentFund(fund.id), this.context));
    return drafts;
  }
}

function findMissingCell({ day, name, value }: Omit<FundRow, 'label'>, blank: BlankPolicy) {
  if (value !== undefined) {
    if (day === undefined)
      return { field: 'period', value: '', rule: 'given, or a date, if there is a value' };
    if (name === undefined) return { field: 'class', value: '', rule: 'given if there is a value' };
    return undefined;
  }
  if (name === undefined || day === undefined || blank === 'zero') return undefined;
  const rule = 'a number; it is blank (--blank zero takes it as 0)';
  return { field: 'value', value: '', rule };
}

/** A keyed list in long format: one row for each key. */
type LongListSource = KeyedListSource & {
  readonly keyAndValueRows: NonNullable<KeyedListSource['keyAndValueRows']>;
};

/** Collects the rows of a long format into records with one keyed list each. */
class LongListCollector {
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
    // A missing value is already a problem, or means that the list lacks the key.
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
  /** The problems of repeated keys. */
  readonly repeats: (FieldProblem & { readonly position: number })[];
  readonly warnings: NonNullable<DraftRecord['warnings']>[number][];
  status?: DraftRecord['status'];
}
