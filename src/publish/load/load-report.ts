import type { ObservationStatus } from '../../catalogue/model/observation-status.ts';
import type { DetectedEncoding } from '../../formats/read-contents.ts';
import type { DerivedField } from '../derivation/derive-fields.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { DataRule, Warning } from '../quality/warning-rules.ts';
import { MAX_OTHERS, type SourceLocation } from './file-problems.ts';

type Counted = DerivedField | ObservationStatus;
type FieldCounts = Partial<Record<Counted, number>>;

/** Counts and warnings of a load; stored with its revision. */
export interface LoadReport {
  readonly records: number;
  /** Files detected to be in an encoding other than UTF-8; absent if there are none. */
  readonly encodings?: readonly string[];
  /** The number of records in which each field was computed. */
  readonly computed: Readonly<FieldCounts>;
  /** The number of securities with new or changed terms, which are stored for later loads. */
  readonly terms: number;
  /** The number of records in which each field could not be computed and is 0. */
  readonly uncomputable: Readonly<FieldCounts>;
  /** The number of records of each status other than normal; absent if there are none. */
  readonly statuses?: Readonly<FieldCounts>;
  /** Rows of the files that hold no data: titles, footnotes. */
  readonly skipped: readonly string[];
  /** What was not compared with earlier periods, and why; absent if all was. */
  readonly notCompared?: readonly string[];
  readonly warnings: readonly WarningGroup[];
  /** The number of warnings of each muted rule; absent if no rule is muted. */
  readonly muted?: Readonly<Record<string, number>>;
}

/** The number of warnings of one rule, and the first few. */
export interface WarningGroup {
  readonly rule: DataRule;
  readonly count: number;
  readonly first: readonly LocatedWarning[];
}

/** `at` is null for warnings about the dataset as a whole. */
type WarningLocation = Omit<SourceLocation, 'at'> & { readonly at: number | null };

export type LocatedWarning = Omit<Warning, 'rule'> & WarningLocation & Repeated;

/** How many have the same text, if there are several, and where the next few are. */
interface Repeated {
  count?: number;
  others?: SourceLocation[];
}

const MAX_STORED_PER_RULE = 20;

export class LoadReportBuilder {
  records = 0;
  terms = 0;
  readonly loadedFiles = new Set<string>();
  private readonly computed: FieldCounts = {};
  private readonly uncomputable: FieldCounts = {};
  private readonly statuses: FieldCounts = {};
  private readonly encodings = new Map<string, string>();
  private readonly skipped: { readonly file: string; readonly what: string }[] = [];
  private readonly notCompared: string[] = [];
  private readonly mutedCounts: Map<string, number>;
  private readonly refusedRules: ReadonlySet<string>;
  private readonly groups = new Map<DataRule, { count: number; first: LocatedWarning[] }>();

  constructor({ mute = [], refuse = [] }: Pick<Mapping, 'mute' | 'refuse'> = {}) {
    this.mutedCounts = new Map(mute.map((rule) => [rule, 0]));
    this.refusedRules = new Set(refuse);
  }

  addWarning({ rule, ...warning }: Warning, location: WarningLocation): void {
    const mutedCount = this.mutedCounts.get(rule);
    if (mutedCount !== undefined) {
      this.mutedCounts.set(rule, mutedCount + 1);
      return;
    }
    const group = this.groups.getOrInsertComputed(rule, () => ({ count: 0, first: [] }));
    group.count++;
    const same = group.first.find(({ text }) => text === warning.text);
    if (same) {
      same.count = (same.count ?? 1) + 1;
      same.others ??= [];
      const { at } = location;
      if (at !== null && same.others.length < MAX_OTHERS) same.others.push({ ...location, at });
      return;
    }
    if (group.first.length < MAX_STORED_PER_RULE) group.first.push({ ...location, ...warning });
  }

  count(what: 'computed' | 'uncomputable' | 'statuses', names: readonly Counted[]): void {
    for (const name of names) this[what][name] = (this[what][name] ?? 0) + 1;
  }

  /** Adds a file only once, even if it is read several times. */
  addEncoding(file: string, { encoding, sample }: DetectedEncoding): void {
    const guess = sample === undefined ? '' : `, for it is not UTF-8: "${sample}"`;
    this.encodings.set(file, `as ${encoding}${guess}`);
  }

  addNotCompared(what: string): void {
    this.notCompared.push(what);
  }

  addSkipped(file: string, what: string): void {
    this.skipped.push({ file, what });
  }

  /** The report of the warnings that reject the load: those of refused rules, or all in a strict load. */
  buildRejection(isStrict: boolean): { readonly count: number; readonly report: LoadReport } {
    const report = this.build();
    const warnings = report.warnings.filter(({ rule }) => isStrict || this.refusedRules.has(rule));
    const total = warnings.reduce((sum, { count }) => sum + count, 0);
    return { count: total, report: { ...report, warnings } };
  }

  /** The report, with file names formatted by `formatName`. */
  build(formatName = (file: string) => file): LoadReport {
    const { records, computed, terms, uncomputable, statuses } = this;
    const encodings = [...this.encodings].map(([file, text]) => `${formatName(file)} ${text}`);
    const skipped = this.skipped.map(({ file, what }) => `${formatName(file)}: ${what}`);
    const warnings = [...this.groups].map(([rule, { count, first }]) => ({
      rule,
      count,
      first: first.map(({ others, ...warning }) => ({
        ...warning,
        file: formatName(warning.file),
        ...(others && {
          others: others.map((location) => ({ ...location, file: formatName(location.file) })),
        }),
      })),
    }));
    const decoded = encodings.length > 0 && { encodings };
    const marked = Object.keys(statuses).length > 0 && { statuses };
    const muted = this.mutedCounts.size > 0 && { muted: Object.fromEntries(this.mutedCounts) };
    const counts = { records, ...decoded, computed, terms, uncomputable, ...marked };
    const { notCompared } = this;
    const rest = notCompared.length > 0 && { notCompared };
    return { ...counts, skipped, ...rest, warnings, ...muted };
  }
}
