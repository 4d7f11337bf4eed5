import { isPlainObject } from '../../shared/is-plain-object.ts';
import { formatNumber } from '../formatting/numbers.ts';

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

/** Parses the report of a revision. Unexpected content is never dropped: it goes into `rest`. */
export function parseReport(report: unknown) {
  if (!isPlainObject(report)) return { facts: [], skipped: [], warnings: [], rest: report };
  const rest = { ...report };
  const take = <T>(name: string, isExpected: (value: unknown) => value is T): T | undefined => {
    const value = rest[name];
    if (!isExpected(value)) return undefined;
    delete rest[name];
    return value;
  };
  const facts = [
    { title: 'Records read', text: formatOptionalNumber(take('records', isNumber)) },
    { title: 'Decoded', text: take('encodings', isListOf(isText))?.join('; ') },
    { title: 'Computed', text: formatCounts(take('computed', isCounts)) },
    { title: 'Not computable, so 0', text: formatCounts(take('uncomputable', isCounts)) },
    { title: 'Status', text: formatCounts(take('statuses', isCounts)) },
    {
      title: 'Securities with new terms',
      text: formatOptionalNumber(take('terms', isNumber) || undefined),
    },
  ].flatMap(({ title, text }) => (text ? { title, text } : []));
  const skipped = take('skipped', isListOf(isText)) ?? [];
  const warnings = take('warnings', isListOf(isWarningGroup)) ?? [];
  return { facts, skipped, warnings, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

/** `quotes.csv line 7`, `a.xlsx sheet "B" row 7`, `a.json record 7 (line 1)`. */
export function formatWarningLocation({ file, sheet, place, at, line }: ReportWarning): string {
  if (at === null) return 'the data as a whole';
  const sheetText = sheet === undefined ? '' : ` sheet ${JSON.stringify(sheet)}`;
  return `${file}${sheetText} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}

function formatCounts(counts: Readonly<Record<string, number>> = {}): string {
  return Object.entries(counts)
    .map(([field, count]) => `${field} in ${formatNumber(count, 0)}`)
    .join(', ');
}

function formatOptionalNumber(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatNumber(count, 0);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCounts(value: unknown): value is Record<string, number> {
  return isPlainObject(value) && Object.values(value).every(isNumber);
}

function isListOf<T>(isItem: (value: unknown) => value is T) {
  return (value: unknown): value is T[] => Array.isArray(value) && value.every(isItem);
}

function isWarningGroup(value: unknown): value is ReportWarningGroup {
  if (!isPlainObject(value) || !isText(value.rule) || !isNumber(value.count)) return false;
  return isListOf(isWarning)(value.first);
}

function isWarning(value: unknown): value is ReportWarning {
  if (!isPlainObject(value) || !(value.at === null || isNumber(value.at))) return false;
  return [value.file, value.place, value.field, value.text].every(isText);
}
