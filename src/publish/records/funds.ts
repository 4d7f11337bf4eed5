import type { AnyRecord } from '../../catalogue/dataset.ts';
import { period } from '../../catalogue/field.ts';
import { monthly } from '../../catalogue/period.ts';
import type { Problem } from '../../derive/record.ts';
import type { Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import type { Cells } from '../mapping/made.ts';
import type { Plan, Source } from '../mapping/plan.ts';
import type { Blank, Draft } from './draft.ts';
import { drafter } from './draft.ts';
import { dayOf, frequencyOf, monthOf } from './fund-periods.ts';

/** The record of a fund as it stands; undefined where there is none. */
export type StandingFund = (id: string) => Promise<AnyRecord | undefined>;

/**
 * Gathers funds from rows of fund, period, class and value. Periods that the rows do not name stay
 * as they stand; created, modified and frequency are kept or made where no column gives them.
 */
export function fundGatherer(plan: Plan, blank: Blank, habits: Habits, now: string) {
  const draft = drafter({ ...plan, fields: plan.fields.map(mayBeBlank) }, undefined);
  const asMonth = converter(period(monthly, 'Month'), habits);
  const funds = new Map<string, Fund>();
  return {
    add(cells: Cells, at: number, rowProblems: readonly Problem[]): void {
      const { record, problems: found } = draft(cells, at);
      const { fund_id, period: label, date, class: name, value, ...own } = record;
      const id = String(fund_id);
      const fund = funds.get(id) ?? new Fund(id, at);
      funds.set(id, fund);
      const problems = [...rowProblems, ...found];
      fund.own(own, problems);
      const month = asMonth(label);
      const day = dayOf(label, date, month, problems);
      const shown = typeof month === 'string' ? month : (label ?? monthOf(day) ?? '');
      const lacking = lackingIn({ day, name, value }, blank);
      // What is given and cannot be read is named already.
      if (lacking && problems.length === 0) problems.push(lacking);
      fund.put({ day, label: String(shown), name, value: value ?? 0 }, problems);
      fund.problems.push(...problems.map((problem) => ({ ...problem, at })));
    },
    async drafts(standing: StandingFund): Promise<Draft[]> {
      const drafts: Draft[] = [];
      for (const fund of funds.values()) {
        drafts.push(fund.draft(await standing(fund.id), blank, now));
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
function lackingIn({ day, name, value }: Omit<Cell, 'label'>, blank: Blank): Problem | undefined {
  if (value !== undefined && day === undefined) {
    return { field: 'period', value: '', rule: 'given, or a date, where there is a value' };
  }
  if (value !== undefined && name === undefined) {
    return { field: 'class', value: '', rule: 'given where there is a value' };
  }
  if (value !== undefined || name === undefined || day === undefined || blank) return undefined;
  const rule = 'a number; it is blank (--blank zero takes it as 0)';
  return { field: 'value', value: '', rule };
}

interface Cell {
  readonly day: string | undefined;
  readonly label: string;
  readonly name: unknown;
  readonly value: unknown;
}

/** One fund on its way: its periods by day, and the values of its classes by day. */
class Fund {
  readonly problems: Problem[] = [];
  private readonly about: Record<string, unknown> = {};
  private readonly periods = new Map<string, string>();
  private readonly classes = new Map<string, Map<string, number>>();

  constructor(
    readonly id: string,
    private readonly at: number,
  ) {}

  own(given: Record<string, unknown>, problems: Problem[]): void {
    for (const [field, value] of Object.entries(given)) {
      if (value === undefined) continue;
      const before = this.about[field];
      this.about[field] ??= value;
      if (before === undefined || before === value) continue;
      problems.push({
        field,
        value,
        rule: `the same in every row of a fund; before, it is ${before}`,
      });
    }
  }

  put({ day, label, name, value }: Cell, problems: Problem[]): void {
    if (day !== undefined) {
      const before = this.periods.get(day) ?? label;
      this.periods.set(day, before);
      if (before !== label) {
        problems.push({ field: 'period', value: label, rule: `"${before}", as before for ${day}` });
      }
    }
    if (typeof name !== 'string') return;
    const values = this.classes.get(name) ?? new Map<string, number>();
    this.classes.set(name, values);
    if (day === undefined || typeof value !== 'number') return;
    if (values.has(day)) {
      problems.push({ field: 'class', value: name, rule: `given once for ${day}` });
    }
    values.set(day, value);
  }

  draft(standing: AnyRecord | undefined, blank: Blank, now: string): Draft {
    this.keep(standing);
    const days = [...this.periods.keys()].toSorted().toReversed();
    const problems = [...this.problems];
    const valueAt = (name: string, values: ReadonlyMap<string, number>, day: string) => {
      const value = values.get(day);
      if (value !== undefined || blank === 'zero') return value ?? 0;
      const rule = `given for ${this.periods.get(day)} as well (--blank zero takes it as 0)`;
      problems.push({ field: 'value', value: name, rule });
      return 0;
    };
    const content = {
      frequency: this.about.frequency ?? standing?.frequency ?? frequencyOf(days),
      periods: days.map((date) => ({ label: this.periods.get(date), date })),
      rows: [...this.classes].map(([label, values]) => ({
        label,
        values: days.map((day) => valueAt(label, values, day)),
      })),
    };
    const { created = standing?.created ?? now } = this.about;
    const isSame = standing && sameContent(standing, content);
    const { modified = isSame ? standing.modified : now } = this.about;
    const record = { fund_id: standing?.fund_id ?? this.id, created, modified, ...content };
    return { at: this.at, record, problems };
  }

  /** Takes over what stands in periods that the rows do not name. */
  private keep(standing: AnyRecord | undefined): void {
    const periods = (standing?.periods ?? []) as readonly { label: string; date: string }[];
    const rows = (standing?.rows ?? []) as readonly { label: string; values: readonly number[] }[];
    const kept = periods.map(({ date }) => !this.periods.has(date));
    for (const [place, { label, date }] of periods.entries()) {
      if (kept[place]) this.periods.set(date, label);
    }
    const added = new Map(this.classes);
    this.classes.clear();
    // Classes keep the order in which they stand; new ones follow.
    for (const { label, values } of rows) {
      const own = added.get(label) ?? new Map<string, number>();
      for (const [place, value] of values.entries()) {
        const date = periods[place]?.date;
        if (date !== undefined && kept[place]) own.set(date, value);
      }
      if (own.size > 0 || added.has(label)) this.classes.set(label, own);
    }
    for (const [label, values] of added) this.classes.set(label, values);
  }
}

function sameContent(standing: AnyRecord, content: AnyRecord): boolean {
  return Object.entries(content).every(
    ([name, value]) => JSON.stringify(standing[name]) === JSON.stringify(value),
  );
}
