import { period } from '../../catalogue/model/field-builders.ts';
import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ValueFormat } from '../cells/create-converter.ts';
import { createConverter } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { FieldSource } from '../mapping/field-sources.ts';
import type { BlankPolicy, DraftRecord } from './draft-record.ts';
import { createDrafter } from './draft-record.ts';
import type { CurrentFund, FundOptions, FundRow } from './fund-builder.ts';
import { FundBuilder } from './fund-builder.ts';
import { formatMonthOfDay, resolvePeriodEnd } from './fund-periods.ts';

/** The record of a fund as it stands; undefined where there is none. */
export type FindCurrentFund = (id: string) => Promise<CurrentFund | undefined>;

/**
 * Gathers funds from rows of fund, period, class and value. Periods that the rows do not name stay
 * as they stand, unless the rows replace all; created, modified and frequency are kept or made
 * where no column gives them.
 */
export function createFundCollector(
  plan: ColumnPlan,
  valueFormat: ValueFormat,
  fundHabits: FundOptions,
) {
  const draft = createDrafter({ ...plan, fields: plan.fields.map(allowBlank) }, undefined);
  const asMonth = createConverter(period(monthly, 'Month'), valueFormat);
  const funds = new Map<string, FundBuilder>();
  return {
    add(cells: RowCells, at: number, rowProblems: readonly FieldProblem[]): void {
      const { record, problems: found } = draft(cells, at);
      const { fund_id, period: label, date, class: name, value: given, ...own } = record;
      const value = typeof given === 'number' ? given : undefined;
      const id = String(fund_id);
      const fund = funds.get(id) ?? new FundBuilder(id, at);
      funds.set(id, fund);
      const problems = [...rowProblems, ...found];
      if (given !== undefined && value === undefined) {
        problems.push({ field: 'value', value: given, rule: 'a number' });
      }
      fund.setAttributes(own, problems);
      const month = asMonth(label);
      const day = resolvePeriodEnd(label, date, month, problems);
      const shown = typeof month === 'string' ? month : (label ?? formatMonthOfDay(day) ?? '');
      const lacking = findMissingPart({ day, name, value }, fundHabits.blank);
      // What is given and cannot be read is named already.
      if (lacking && problems.length === 0) problems.push(lacking);
      fund.addRow({ day, label: String(shown), name, value }, at, problems);
      fund.problems.push(...problems.map((problem) => ({ ...problem, at })));
    },
    async drafts(standing: FindCurrentFund): Promise<DraftRecord[]> {
      const drafts: DraftRecord[] = [];
      for (const fund of funds.values()) {
        drafts.push(fund.build(await standing(fund.id), fundHabits));
      }
      return drafts;
    },
  };
}

/** A row without class and value only says that there is such a period; without a day, a class. */
function allowBlank(source: FieldSource): FieldSource {
  const { name, isOptional } = source;
  return { ...source, isOptional: isOptional || name === 'class' || name === 'value' };
}

/** What a row lacks beside what it has; undefined where it lacks nothing. */
function findMissingPart(
  { day, name, value }: Omit<FundRow, 'label'>,
  blank: BlankPolicy,
): FieldProblem | undefined {
  if (value !== undefined && day === undefined) {
    return { field: 'period', value: '', rule: 'given, or a date, where there is a value' };
  }
  if (value !== undefined && name === undefined) {
    return { field: 'class', value: '', rule: 'given where there is a value' };
  }
  if (value !== undefined || name === undefined || day === undefined || blank === 'zero') {
    return undefined;
  }
  const rule = 'a number; it is blank (--blank zero takes it as 0)';
  return { field: 'value', value: '', rule };
}
