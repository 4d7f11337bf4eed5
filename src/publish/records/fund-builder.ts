import { monthly } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { formatDay, getLastDayOfMonth, isDay, parseDay } from '../../shared/calendar.ts';
import { InvalidCell } from '../cells/create-converter.ts';
import type { CurrentFund, DraftContext, DraftRecord } from './draft-record.ts';

export interface FundRow {
  readonly day: string | undefined;
  readonly label: string;
  readonly name: unknown;
  readonly value: number | undefined;
}

/** A draft fund: its periods by day, and the values of its classes by day. */
export class FundBuilder {
  readonly problems: (FieldProblem & { position: number })[] = [];
  private readonly warnings: NonNullable<DraftRecord['warnings']>[number][] = [];
  private readonly attributes: Record<string, unknown> = {};
  private readonly periods = new Map<string, FirstMention>();
  private readonly classes = new Map<string, FundClass>();

  constructor(
    readonly id: string,
    private readonly position: number,
  ) {}

  setAttributes(attributes: Record<string, unknown>, problems: FieldProblem[]): void {
    for (const [field, value] of Object.entries(attributes)) {
      if (value === undefined) continue;
      const previous = this.attributes[field];
      this.attributes[field] ??= value;
      if (previous === undefined || previous === value) continue;
      const rule = `the same in every row of a fund; before, it is ${previous}`;
      problems.push({ field, value, rule });
    }
  }

  addRow({ day, label, name, value }: FundRow, position: number, problems: FieldProblem[]): void {
    if (day !== undefined) {
      const first = this.periods.getOrInsert(day, { label, position });
      if (first.label !== label) {
        const rule = `"${first.label}", as before for ${day}`;
        problems.push({ field: 'period', value: label, rule });
      }
    }
    if (typeof name !== 'string') return;
    const fundClass = this.classes.getOrInsert(name, createFundClass(name, position));
    if (day === undefined) return;
    if (fundClass.values.has(day))
      problems.push({ field: 'class', value: name, rule: `given once for ${day}` });
    // A value that cannot be read is already a problem.
    if (value === undefined && problems.length === 0) fundClass.blanks.add(day);
    fundClass.values.set(day, value ?? 0);
  }

  build(
    published: CurrentFund | undefined,
    { mapping, now, replace }: Pick<DraftContext, 'mapping' | 'now' | 'replace'>,
  ): DraftRecord {
    const current = replace ? undefined : published;
    const omitted = current ? this.findOmittedClasses(current) : [];
    if (current) this.mergeCurrentPeriods(current);
    const days = [...this.periods.keys()].toSorted().toReversed();
    // An omitted class also has missing values, but is reported only once.
    const isComplete = mapping.blank === 'zero' || omitted.length > 0;
    const missing = isComplete ? [] : this.findMissingValues(days, published);
    const content = {
      frequency: this.attributes.frequency ?? current?.frequency ?? inferFrequency(days),
      periods: days.map((date) => ({ label: this.periods.get(date)?.label, date })),
      rows: [...this.classes.values()].map(({ label, values }) => ({
        label,
        values: days.map((day) => values.get(day) ?? 0),
      })),
    };
    const { created = published?.created ?? now } = this.attributes;
    const isSame = Object.entries(content).every(
      ([name, value]) => JSON.stringify(published?.[name]) === JSON.stringify(value),
    );
    const { modified = isSame ? published?.modified : now } = this.attributes;
    const record = { fund_id: published?.fund_id ?? this.id, created, modified, ...content };
    const problems = [...this.problems, ...omitted, ...missing];
    return { position: this.position, record, problems, warnings: this.warnings };
  }

  /**
   * Current periods that the rows name without a figure for a class that has one there. Only the publisher
   * can say whether the figure should stay, be removed or be 0; reading blanks as 0 does not answer that.
   */
  private findOmittedClasses({ periods, rows }: CurrentFund): DraftRecord['problems'] {
    return periods.flatMap(({ date }, index) => {
      const period = this.periods.get(date);
      if (!period) return [];
      const omitted = rows.filter(({ label, values }) => {
        const fundClass = this.classes.get(label);
        return !fundClass?.values.has(date) || (fundClass.blanks.has(date) && values[index] !== 0);
      });
      if (omitted.length === 0) return [];
      const names = omitted.map(({ label }) => label).join(', ');
      const rule = `given with every class that stands in it; fund ${this.id} has no figure for ${names}`;
      const position = period.position ?? this.position;
      return [{ field: 'period', value: period.label, rule, position }];
    });
  }

  /** A new class has no figures before its first period; these become 0, with a warning. */
  private findMissingValues(
    days: readonly string[],
    published: CurrentFund | undefined,
  ): DraftRecord['problems'] {
    const getLabel = (day: string) => this.periods.get(day)?.label;
    return [...this.classes.values()].flatMap(({ label, position = this.position, values }) => {
      const isNew = values.size > 0 && published?.rows.every((row) => row.label !== label);
      const missing = days.filter((day) => !values.has(day));
      const before = missing.filter((day) => isNew && values.keys().every((first) => first > day));
      const text = `0 is stored for ${label} of fund ${this.id} in ${before.map(getLabel).join(', ')}, before its first figure`;
      if (before.length > 0)
        this.warnings.push({ rule: 'new-class', field: 'class', value: label, text, position });
      return missing.slice(0, missing.length - before.length).map((day) => {
        const rule = `given for ${getLabel(day)} as well, in fund ${this.id} (--blank zero takes it as 0)`;
        // The first row of the period, if the file has any.
        const first = this.periods.get(day)?.position ?? position;
        return { field: 'class', value: label, rule, position: first };
      });
    });
  }

  private mergeCurrentPeriods({ periods, rows }: CurrentFund): void {
    const isKept = periods.map(({ date }) => !this.periods.has(date));
    for (const [index, { label, date }] of periods.entries())
      if (isKept[index]) this.periods.set(date, { label, position: undefined });
    const added = new Map(this.classes);
    this.classes.clear();
    // Classes keep their current order; new ones follow.
    for (const { label, values } of rows) {
      const fundClass = added.get(label) ?? createFundClass(label, undefined);
      for (const [index, value] of values.entries()) {
        const date = periods[index]?.date;
        if (date !== undefined && isKept[index]) fundClass.values.set(date, value);
      }
      if (fundClass.values.size > 0 || added.has(label)) this.classes.set(label, fundClass);
    }
    for (const [label, fundClass] of added) this.classes.set(label, fundClass);
  }
}

/** A period or class with its first row; undefined if only the published fund has it. */
interface FirstMention {
  readonly label: string;
  readonly position: number | undefined;
}

/** A class with its values by day; blank cells become 0. */
interface FundClass extends FirstMention {
  readonly values: Map<string, number>;
  readonly blanks: Set<string>;
}

function createFundClass(label: string, position: number | undefined): FundClass {
  return { label, position, values: new Map(), blanks: new Set() };
}

/** The date, else the last day of the month; `month` is the label parsed as a month, if possible. */
export function resolvePeriodEnd(
  label: unknown,
  date: unknown,
  month: unknown,
  problems: FieldProblem[],
): string | undefined {
  if (typeof date === 'string') return date;
  if (label === undefined) return undefined;
  if (typeof label === 'string' && isDay(label)) return label;
  const ordinal = typeof month === 'string' ? monthly.toOrdinal(month) : undefined;
  if (ordinal === undefined) {
    const expected = month instanceof InvalidCell ? month.rule : monthly.requirement;
    const rule = `${expected}; a day does as well, or a column with the date`;
    problems.push({ field: 'period', value: label, rule });
    return undefined;
  }
  return formatDay(getLastDayOfMonth(ordinal));
}

/** The label of a period without one: the month of its day. */
export function formatMonthOfDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  return monthly.formatLabel(Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1);
}

/** The reporting frequency of a fund, from the distance between its last two periods, newest first. */
function inferFrequency([newest, previous]: readonly string[]): string {
  if (newest === undefined || previous === undefined) return 'monthly';
  const days = parseDay(newest) - parseDay(previous);
  if (days > 200) return 'annual';
  return days > 60 ? 'quarterly' : days > 20 ? 'monthly' : 'weekly';
}
