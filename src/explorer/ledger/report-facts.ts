import { formatNumber } from '../formatting/numbers.ts';

/** The report of a revision: warnings, texts on rows that were skipped, counts by name. */
export interface RevisionReport extends Readonly<Record<string, unknown>> {
  readonly skipped?: readonly string[];
  readonly warnings?: readonly ReportWarningGroup[];
}

export interface ReportWarningGroup {
  readonly rule: string;
  readonly count: number;
  readonly first: readonly ReportWarning[];
}

interface ReportWarning {
  readonly file: string;
  readonly sheet?: string;
  /** The unit of the location: line, row or record. */
  readonly place: string;
  /** Null if the warning is about the data as a whole. */
  readonly at: number | null;
  readonly line?: number;
  readonly field: string;
  readonly text: string;
}

const FACT_NAMES: Readonly<Record<string, string>> = {
  records: 'Records read',
  encodings: 'Decoded',
  computed: 'Computed',
  uncomputable: 'Not computable, so 0',
  statuses: 'Status',
  terms: 'Securities with new terms',
  muted: 'Muted warnings',
};

/** Members by their names, as texts; without those that are 0 or empty. */
export function listFacts(counts: Readonly<Record<string, unknown>>) {
  return Object.entries(counts).flatMap(([name, value]) => {
    const text = formatFact(value);
    return text === '' || text === '0' ? [] : { name: FACT_NAMES[name] ?? name, value: text };
  });
}

/** `2,087`; `ytm in 12, duration in 1,200`. */
function formatFact(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value, 0);
  if (Array.isArray(value)) return value.join('; ');
  const counts = Object.entries(value ?? {});
  if (counts.some(([, count]) => typeof count !== 'number')) return JSON.stringify(value);
  return counts.map(([field, count]) => `${field} in ${formatNumber(count, 0)}`).join(', ');
}

/** `quotes.csv line 7`, `a.xlsx sheet "B" row 7`, `a.json record 7 (line 1)`. */
export function formatLocation({ file, sheet, place, at, line }: ReportWarning): string {
  if (at === null) return 'the data as a whole';
  const sheetText = sheet === undefined ? '' : ` sheet ${JSON.stringify(sheet)}`;
  return `${file}${sheetText} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}
