import { period } from '../../catalogue/field.ts';
import { monthly } from '../../catalogue/period.ts';
import type { Problem } from '../../derive/record.ts';
import type { Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import type { Cells } from '../mapping/made.ts';
import type { Plan } from '../mapping/plan.ts';
import type { Source } from '../mapping/sources.ts';
import type { Blank, Draft } from './draft.ts';
import { drafter } from './draft.ts';
import type { FundCell, FundHabits, Standing } from './fund.ts';
import { Fund } from './fund.ts';
import { dayOf, monthOf } from './fund-periods.ts';

/** The record of a fund as it stands; undefined where there is none. */
export type StandingFund = (id: string) => Promise<Standing | undefined>;

/**
 * Gathers funds from rows of fund, period, class and value. Periods that the rows do not name stay
 * as they stand, unless the rows replace all; created, modified and frequency are kept or made
 * where no column gives them.
 */
export function fundGatherer(plan: Plan, habits: Habits, fundHabits: FundHabits) {
  const draft = drafter({ ...plan, fields: plan.fields.map(mayBeBlank) }, undefined);
  const asMonth = converter(period(monthly, 'Month'), habits);
  const funds = new Map<string, Fund>();
  return {
    add(cells: Cells, at: number, rowProblems: readonly Problem[]): void {
      const { record, problems: found } = draft(cells, at);
      const { fund_id, period: label, date, class: name, value: given, ...own } = record;
      const value = typeof given === 'number' ? given : undefined;
      const id = String(fund_id);
      const fund = funds.get(id) ?? new Fund(id, at);
      funds.set(id, fund);
      const problems = [...rowProblems, ...found];
      if (given !== undefined && value === undefined) {
        problems.push({ field: 'value', value: given, rule: 'a number' });
      }
      fund.own(own, problems);
      const month = asMonth(label);
      const day = dayOf(label, date, month, problems);
      const shown = typeof month === 'string' ? month : (label ?? monthOf(day) ?? '');
      const lacking = lackingIn({ day, name, value }, fundHabits.blank);
      // What is given and cannot be read is named already.
      if (lacking && problems.length === 0) problems.push(lacking);
      fund.put({ day, label: String(shown), name, value }, at, problems);
      fund.problems.push(...problems.map((problem) => ({ ...problem, at })));
    },
    async drafts(standing: StandingFund): Promise<Draft[]> {
      const drafts: Draft[] = [];
      for (const fund of funds.values()) {
        drafts.push(fund.draft(await standing(fund.id), fundHabits));
      }
      return drafts;
    },
  };
}

/** A row without class and value only says that there is such a period; without a day, a class. */
function mayBeBlank(source: Source): Source {
  const { name, optional } = source;
  return { ...source, optional: optional || name === 'class' || name === 'value' };
}

/** What a row lacks beside what it has; undefined where it lacks nothing. */
function lackingIn(
  { day, name, value }: Omit<FundCell, 'label'>,
  blank: Blank,
): Problem | undefined {
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
