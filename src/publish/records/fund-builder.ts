import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { BlankPolicy, DraftRecord } from './draft-record.ts';
import { inferFrequency } from './fund-periods.ts';

/** One class of a fund in one period, as a row gives it. */
export interface FundRow {
  readonly day: string | undefined;
  readonly label: string;
  readonly name: unknown;
  readonly value: number | undefined;
}

/** What becomes of a fund beside its rows. */
export interface FundOptions {
  readonly blank: BlankPolicy;
  /** The present, for a fund that has no instants of its own. */
  readonly now: string;
  /** Whether the rows are the whole fund, so that no standing period is kept. */
  readonly replace: boolean;
}

/** One fund on its way: its periods by day, and the values of its classes by day. */
export class FundBuilder {
  readonly problems: (FieldProblem & { at: number })[] = [];
  private readonly about: Record<string, unknown> = {};
  private readonly periods = new Map<string, FirstMention>();
  private readonly classes = new Map<string, FundClass>();

  constructor(
    readonly id: string,
    private readonly at: number,
  ) {}

  setAttributes(given: Record<string, unknown>, problems: FieldProblem[]): void {
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

  addRow({ day, label, name, value }: FundRow, at: number, problems: FieldProblem[]): void {
    if (day !== undefined) {
      const before = this.periods.get(day) ?? { label, at };
      this.periods.set(day, before);
      if (before.label !== label) {
        const rule = `"${before.label}", as before for ${day}`;
        problems.push({ field: 'period', value: label, rule });
      }
    }
    if (typeof name !== 'string') return;
    const own = this.classes.get(name) ?? createFundClass(name, at);
    this.classes.set(name, own);
    if (day === undefined) return;
    if (own.values.has(day)) {
      problems.push({ field: 'class', value: name, rule: `given once for ${day}` });
    }
    // What is given and cannot be read is named already.
    if (value === undefined && problems.length === 0) own.blanks.add(day);
    own.values.set(day, value ?? 0);
  }

  build(standing: CurrentFund | undefined, { blank, now, replace }: FundOptions): DraftRecord {
    const kept = replace ? undefined : standing;
    const leftOut = kept ? this.findOmittedClasses(kept) : [];
    if (kept) this.mergeCurrentPeriods(kept);
    const days = [...this.periods.keys()].toSorted().toReversed();
    // A class that is left out is lacking as well, and named once.
    const lacking = blank === 'zero' || leftOut.length > 0 ? [] : this.findMissingValues(days);
    const content = {
      frequency: this.about.frequency ?? kept?.frequency ?? inferFrequency(days),
      periods: days.map((date) => ({ label: this.periods.get(date)?.label, date })),
      rows: [...this.classes.values()].map(({ label, values }) => ({
        label,
        values: days.map((day) => values.get(day) ?? 0),
      })),
    };
    const { created = standing?.created ?? now } = this.about;
    const isSame = standing && hasSameContent(standing, content);
    const { modified = isSame ? standing.modified : now } = this.about;
    const record = { fund_id: standing?.fund_id ?? this.id, created, modified, ...content };
    return { position: this.at, record, problems: [...this.problems, ...leftOut, ...lacking] };
  }

  /**
   * Periods that stand and are named again without a figure for some class that has one there.
   * Whether that is to stay, to go or to be 0, only the publisher knows; that blanks are taken as 0
   * does not say it.
   */
  private findOmittedClasses({ periods, rows }: CurrentFund): DraftRecord['problems'] {
    return periods.flatMap(({ date }, index) => {
      const named = this.periods.get(date);
      if (!named) return [];
      const without = rows.filter(({ label, values }) => {
        const own = this.classes.get(label);
        return !own?.values.has(date) || (own.blanks.has(date) && values[index] !== 0);
      });
      if (without.length === 0) return [];
      const names = without.map(({ label }) => label).join(', ');
      const rule = `given with every class that stands in it; fund ${this.id} has no figure for ${names}`;
      return [{ field: 'period', value: named.label, rule, at: named.at ?? this.at }];
    });
  }

  /** Classes without a value in some period that the fund has. */
  private findMissingValues(days: readonly string[]): DraftRecord['problems'] {
    return [...this.classes.values()].flatMap(({ label, at, values }) =>
      days.flatMap((day) => {
        if (values.has(day)) return [];
        const period = this.periods.get(day);
        const rule = `given for ${period?.label} as well, in fund ${this.id} (--blank zero takes it as 0)`;
        // Where the period begins in the file; a period that stands is not in it.
        return [{ field: 'class', value: label, rule, at: period?.at ?? at ?? this.at }];
      }),
    );
  }

  /** Takes over what stands in periods that the rows do not name. */
  private mergeCurrentPeriods({ periods, rows }: CurrentFund): void {
    const kept = periods.map(({ date }) => !this.periods.has(date));
    for (const [index, { label, date }] of periods.entries()) {
      if (kept[index]) this.periods.set(date, { label, at: undefined });
    }
    const added = new Map(this.classes);
    this.classes.clear();
    // Classes keep the order in which they stand; new ones follow.
    for (const { label, values } of rows) {
      const own = added.get(label) ?? createFundClass(label, undefined);
      for (const [place, value] of values.entries()) {
        const date = periods[place]?.date;
        if (date !== undefined && kept[place]) own.values.set(date, value);
      }
      if (own.values.size > 0 || added.has(label)) this.classes.set(label, own);
    }
    for (const [label, own] of added) this.classes.set(label, own);
  }
}

/** A period or class, and the row that named it first; none where it only stands. */
interface FirstMention {
  readonly label: string;
  readonly at: number | undefined;
}

/** A class, with its values by day; those that are blank in the file are 0. */
interface FundClass extends FirstMention {
  readonly values: Map<string, number>;
  readonly blanks: Set<string>;
}

function createFundClass(label: string, at: number | undefined): FundClass {
  return { label, at, values: new Map(), blanks: new Set() };
}

/** The record of a fund as it stands. */
export interface CurrentFund extends AnyRecord {
  readonly periods: readonly { readonly label: string; readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

function hasSameContent(standing: AnyRecord, content: AnyRecord): boolean {
  return Object.entries(content).every(
    ([name, value]) => JSON.stringify(standing[name]) === JSON.stringify(value),
  );
}
