import { period } from '../../catalogue/model/field-builders.ts';
import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { type ConvertCell, createConverter } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import {
  type BlankPolicy,
  createDrafter,
  type DraftRecord,
  type DraftRow,
  type ReadContext,
} from './draft-record.ts';
import { FundBuilder, type FundRow, formatMonthOfDay, resolvePeriodEnd } from './fund-builder.ts';

/** Current periods that the rows do not name stay, unless the rows replace all. */
export class FundCollector {
  readonly #draft: DraftRow;
  readonly #toMonth: ConvertCell;
  readonly #funds = new Map<string, FundBuilder>();

  constructor(
    plan: ColumnPlan,
    private readonly context: ReadContext,
  ) {
    // A row without class and value only declares a period; a row without a day, a class.
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
    const month = this.#toMonth(label);
    const day = resolvePeriodEnd(label, date, month, problems);
    const periodLabel = typeof month === 'string' ? month : (label ?? formatMonthOfDay(day) ?? '');
    const missing = findMissingCell({ day, name, value }, this.context.mapping.blank);
    // A cell that cannot be read is a problem already.
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
      return { field: 'period', value: '', rule: 'given, or a date, where there is a value' };
    if (name === undefined)
      return { field: 'class', value: '', rule: 'given where there is a value' };
    return undefined;
  }
  if (name === undefined || day === undefined || blank === 'zero') return undefined;
  const rule = 'a number; it is blank (--blank zero takes it as 0)';
  return { field: 'value', value: '', rule };
}
