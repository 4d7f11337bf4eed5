import type { PlaceName } from '../formats/index.ts';
import type { Derived } from './derivation/index.ts';
import { spotText } from './problems.ts';
import type { Warning, WarningRule } from './quality/index.ts';
import { WARNING_RULES } from './quality/index.ts';

/** What was noticed about a load, kept with its revision. */
export interface LoadReport {
  /** Records that were read. */
  readonly records: number;
  /** Fields that were computed, and in how many records. */
  readonly computed: Readonly<Partial<Record<Derived, number>>>;
  /** How many securities have new or other terms, which are kept for later loads. */
  readonly terms: number;
  /** Fields that could not be computed and are 0, and in how many records. */
  readonly uncomputable: Readonly<Partial<Record<Derived, number>>>;
  /** What was left out of the files: titles, notes. */
  readonly skipped: readonly string[];
  readonly warnings: readonly WarningGroup[];
}

/** The warnings of one rule: how many, and the first of them. */
export interface WarningGroup {
  readonly rule: WarningRule;
  readonly count: number;
  readonly first: readonly PlacedWarning[];
}

export interface PlacedWarning extends Omit<Warning, 'rule'> {
  readonly file: string;
  readonly place: PlaceName;
  /** Null where it is about the data as a whole. */
  readonly at: number | null;
  /** The line as well, where places are records and it is known. */
  readonly line?: number;
}

const MOST_OF_A_RULE = 20;

/** Gathers a report while records go by. */
export class Reporting {
  records = 0;
  /** How many securities have new or other terms. */
  terms = 0;
  private readonly computed: Partial<Record<Derived, number>> = {};
  private readonly uncomputable: Partial<Record<Derived, number>> = {};
  private readonly skipped: { readonly file: string; readonly what: string }[] = [];
  private readonly groups = new Map<WarningRule, { count: number; first: PlacedWarning[] }>();

  warn({ rule, ...warning }: Warning, where: Omit<PlacedWarning, keyof Warning>): void {
    const group = this.groups.get(rule) ?? { count: 0, first: [] };
    this.groups.set(rule, group);
    group.count++;
    if (group.first.length < MOST_OF_A_RULE) group.first.push({ ...where, ...warning });
  }

  compute(fields: readonly Derived[]): void {
    for (const field of fields) this.computed[field] = (this.computed[field] ?? 0) + 1;
  }

  giveUp(fields: Iterable<Derived>): void {
    for (const field of fields) this.uncomputable[field] = (this.uncomputable[field] ?? 0) + 1;
  }

  skip(file: string, what: string): void {
    this.skipped.push({ file, what });
  }

  get warnings(): number {
    return this.groups.values().reduce((sum, { count }) => sum + count, 0);
  }

  /** The report, with the names that its files are to have there: by default as they were given. */
  report(nameOf: (file: string) => string = (file) => file): LoadReport {
    const { records, computed, terms, uncomputable } = this;
    const skipped = this.skipped.map(({ file, what }) => `${nameOf(file)}: ${what}`);
    const warnings = [...this.groups].map(([rule, { count, first }]) => ({
      rule,
      count,
      first: first.map((warning) => ({ ...warning, file: nameOf(warning.file) })),
    }));
    return { records, computed, terms, uncomputable, skipped, warnings };
  }
}

const MOST_SHOWN = 3;

/** A report as lines for a person; none where what was published came from no file. */
export function reportLines(report: Partial<LoadReport>): string[] {
  if (!isWhole(report)) return [];
  const { records, computed, terms, uncomputable, skipped, warnings } = report;
  return [
    `Read ${tally(records)} ${records === 1 ? 'record' : 'records'}.`,
    ...skipped.map((what) => `Left out: ${what}.`),
    ...figuresLine('Computed', computed),
    ...figuresLine('Not computable, so 0', uncomputable),
    ...(terms > 0 ? [`Terms kept: of ${tally(terms)} securities.`] : []),
    ...warnings.flatMap(groupLines),
  ];
}

function isWhole(report: Partial<LoadReport>): report is LoadReport {
  return report.records !== undefined;
}

function figuresLine(title: string, counts: Readonly<Record<string, number>>): string[] {
  const figures = Object.entries(counts).map(([field, count]) => `${field} ${tally(count)}`);
  return figures.length > 0 ? [`${title}: ${figures.join(', ')}.`] : [];
}

/** The warnings of one rule as lines for a person: what it says, and the first few. */
export function groupLines({ rule, count, first }: WarningGroup): string[] {
  const shown = first.slice(0, MOST_SHOWN).map(({ at, field, text, ...spot }) => {
    const where = at === null ? '' : `${spotText({ ...spot, at })}, `;
    return `  ${where}${field}: ${text}`;
  });
  const more = count > shown.length ? [`  … and ${tally(count - shown.length)} more`] : [];
  return [`Warning ${rule} (${tally(count)}): ${WARNING_RULES[rule]}`, ...shown, ...more];
}

/** A number for people, with its thousands apart. */
export function tally(number: number): string {
  return number.toLocaleString('en-US');
}
