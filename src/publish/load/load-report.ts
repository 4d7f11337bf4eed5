import type { LocationUnit } from '../../formats/read-contents.ts';
import type { DerivedField } from '../derivation/derive-fields.ts';
import type { Warning, WarningRule } from '../quality/index.ts';
import { WARNING_RULES } from '../quality/index.ts';
import { formatLocation } from './file-problems.ts';

/** What was noticed about a load, kept with its revision. */
export interface LoadReport {
  /** Records that were read. */
  readonly records: number;
  /** Fields that were computed, and in how many records. */
  readonly computed: Readonly<Partial<Record<DerivedField, number>>>;
  /** How many securities have new or other terms, which are kept for later loads. */
  readonly terms: number;
  /** Fields that could not be computed and are 0, and in how many records. */
  readonly uncomputable: Readonly<Partial<Record<DerivedField, number>>>;
  /** What was left out of the files: titles, notes. */
  readonly skipped: readonly string[];
  readonly warnings: readonly WarningGroup[];
}

/** The warnings of one rule: how many, and the first of them. */
export interface WarningGroup {
  readonly rule: WarningRule;
  readonly count: number;
  readonly first: readonly LocatedWarning[];
}

export interface LocatedWarning extends Omit<Warning, 'rule'> {
  readonly file: string;
  readonly place: LocationUnit;
  /** Null where it is about the data as a whole. */
  readonly at: number | null;
  /** The line as well, where places are records and it is known. */
  readonly line?: number;
}

const MAX_STORED_PER_RULE = 20;

/** Gathers a report while records go by. */
export class LoadReportBuilder {
  records = 0;
  /** How many securities have new or other terms. */
  terms = 0;
  private readonly computed: Partial<Record<DerivedField, number>> = {};
  private readonly uncomputable: Partial<Record<DerivedField, number>> = {};
  private readonly skipped: { readonly file: string; readonly what: string }[] = [];
  private readonly groups = new Map<WarningRule, { count: number; first: LocatedWarning[] }>();

  addWarning({ rule, ...warning }: Warning, where: Omit<LocatedWarning, keyof Warning>): void {
    const group = this.groups.get(rule) ?? { count: 0, first: [] };
    this.groups.set(rule, group);
    group.count++;
    if (group.first.length < MAX_STORED_PER_RULE) group.first.push({ ...where, ...warning });
  }

  countComputed(fields: readonly DerivedField[]): void {
    for (const field of fields) this.computed[field] = (this.computed[field] ?? 0) + 1;
  }

  countUncomputable(fields: Iterable<DerivedField>): void {
    for (const field of fields) this.uncomputable[field] = (this.uncomputable[field] ?? 0) + 1;
  }

  addSkipped(file: string, what: string): void {
    this.skipped.push({ file, what });
  }

  get warnings(): number {
    return this.groups.values().reduce((sum, { count }) => sum + count, 0);
  }

  /** The report, with the names that its files are to have there: by default as they were given. */
  build(nameOf: (file: string) => string = (file) => file): LoadReport {
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

const MAX_SHOWN_PER_RULE = 3;

/** A report as lines for a person; none where what was published came from no file. */
export function formatReport(report: Partial<LoadReport>): string[] {
  if (!isCompleteReport(report)) return [];
  const { records, computed, terms, uncomputable, skipped, warnings } = report;
  return [
    `Read ${formatCount(records)} ${records === 1 ? 'record' : 'records'}.`,
    ...skipped.map((what) => `Left out: ${what}.`),
    ...formatFieldCounts('Computed', computed),
    ...formatFieldCounts('Not computable, so 0', uncomputable),
    ...(terms > 0 ? [`Terms kept: of ${formatCount(terms)} securities.`] : []),
    ...warnings.flatMap(formatWarningGroup),
  ];
}

function isCompleteReport(report: Partial<LoadReport>): report is LoadReport {
  return report.records !== undefined;
}

function formatFieldCounts(title: string, counts: Readonly<Record<string, number>>): string[] {
  const figures = Object.entries(counts).map(([field, count]) => `${field} ${formatCount(count)}`);
  return figures.length > 0 ? [`${title}: ${figures.join(', ')}.`] : [];
}

/** The warnings of one rule as lines for a person: what it says, and the first few. */
export function formatWarningGroup({ rule, count, first }: WarningGroup): string[] {
  const shown = first.slice(0, MAX_SHOWN_PER_RULE).map(({ at, field, text, ...spot }) => {
    const where = at === null ? '' : `${formatLocation({ ...spot, at })}, `;
    return `  ${where}${field}: ${text}`;
  });
  const more = count > shown.length ? [`  … and ${formatCount(count - shown.length)} more`] : [];
  return [`Warning ${rule} (${formatCount(count)}): ${WARNING_RULES[rule]}`, ...shown, ...more];
}

/** A number for people, with its thousands apart. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}
