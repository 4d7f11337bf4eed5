/** The warnings of one rule: how many, and the first of them. */
export interface ReportWarningGroup {
  readonly rule: string;
  readonly count: number;
  readonly first: readonly ReportWarning[];
}

interface ReportWarning {
  readonly file: string;
  /** What a place of the file is called: a line, a row, a record. */
  readonly place: string;
  /** Null where it is about the data as a whole. */
  readonly at: number | null;
  readonly line?: number;
  readonly field: string;
  readonly text: string;
}

/** A report, as far as the page knows what is in it. */
interface ParsedReport {
  /** What there is to tell, with its title. */
  readonly facts: readonly { readonly title: string; readonly text: string }[];
  /** What was left out of the files. */
  readonly skipped: readonly string[];
  readonly warnings: readonly ReportWarningGroup[];
  /** What the page knows nothing of, as it was kept; undefined where that is nothing. */
  readonly rest: unknown;
}

/** Reads a report; whatever is not as expected is left as it is, and lost never. */
export function parseReport(report: unknown): ParsedReport {
  if (!isObject(report)) return { facts: [], skipped: [], warnings: [], rest: report };
  const unread = { ...report };
  const take = <T>(name: string, accepts: (value: unknown) => value is T): T | undefined => {
    const value = unread[name];
    if (!accepts(value)) return undefined;
    delete unread[name];
    return value;
  };
  const facts = [
    { title: 'Records read', text: take('records', isNumber)?.toLocaleString('en') },
    { title: 'Computed', text: formatCounts(take('computed', isCounts)) },
    { title: 'Not computable, so 0', text: formatCounts(take('uncomputable', isCounts)) },
    {
      title: 'Securities with new terms',
      text: (take('terms', isNumber) || '').toLocaleString('en'),
    },
  ].flatMap(({ title, text }) => (text ? { title, text } : []));
  const skipped = take('skipped', isTextList) ?? [];
  const warnings = take('warnings', isWarningGroups) ?? [];
  const rest = Object.keys(unread).length > 0 ? unread : undefined;
  return { facts, skipped, warnings, rest };
}

/** Where a warning points: `quotes.csv line 7`, `a.json record 7 (line 1)`. */
export function formatWarningLocation({ file, place, at, line }: ReportWarning): string {
  if (at === null) return 'the data as a whole';
  return `${file} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}

function formatCounts(counts: Readonly<Record<string, number>> = {}): string {
  return Object.entries(counts)
    .map(([field, count]) => `${field} in ${count.toLocaleString('en')}`)
    .join(', ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isCounts(value: unknown): value is Record<string, number> {
  return isObject(value) && Object.values(value).every(isNumber);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isWarningGroups(value: unknown): value is ReportWarningGroup[] {
  return Array.isArray(value) && value.every(isWarningGroup);
}

function isWarningGroup(value: unknown): value is ReportWarningGroup {
  if (!isObject(value) || typeof value.rule !== 'string' || !isNumber(value.count)) return false;
  return Array.isArray(value.first) && value.first.every(isWarning);
}

function isWarning(value: unknown): value is ReportWarning {
  if (!isObject(value) || !(value.at === null || isNumber(value.at))) return false;
  return [value.file, value.place, value.field, value.text].every((t) => typeof t === 'string');
}
