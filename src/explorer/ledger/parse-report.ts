import { createLookupTable } from '../../shared/lookup-table.ts';
import { formatNumber } from '../formatting/numbers.ts';

type Members = Readonly<Record<string, unknown>>;

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
  /** How many have this text, if there are several; the location is that of the first. */
  readonly count?: number;
}

/** How many of the warnings of a rule are stored. */
export const countStored = ({ first }: ReportWarningGroup): number =>
  first.reduce((sum, { count = 1 }) => sum + count, 0);

/** The report of a revision may be any JSON; unexpected members are shown as stored. */
export function parseReport({ skipped, warnings, ...counts }: Members, options: Members) {
  const texts = Array.isArray(skipped) && skipped.every(isText) && skipped;
  const groups = Array.isArray(warnings) && warnings.every(isWarningGroup) && warnings;
  const unknown = { ...(!texts && { skipped }), ...(!groups && { warnings }) };
  return {
    skipped: texts || [],
    warnings: groups || [],
    facts: [
      ...listFacts(options, createLookupTable({ muted: 'Muted rules' })),
      ...listFacts({ ...counts, ...unknown }, COUNT_NAMES),
    ],
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown): value is number => Number.isInteger(value);

const isWarningGroup = (group?: Partial<ReportWarningGroup>): group is ReportWarningGroup =>
  isText(group?.rule) &&
  isInteger(group.count) &&
  Array.isArray(group.first) &&
  group.first.every((warning) => isText(warning?.text));

const COUNT_NAMES = createLookupTable({
  records: 'Records read',
  encodings: 'Decoded',
  computed: 'Computed',
  uncomputable: 'Not computable, so 0',
  statuses: 'Status',
  terms: 'Securities with new terms',
  muted: 'Muted warnings',
});

/** The non-empty members as texts; those named here are counts. */
function listFacts(members: Members, names: Readonly<Record<string, string>>) {
  return Object.entries(members).flatMap(([member, value]) => {
    const text = formatFact(value, names[member] !== undefined);
    return text === '' ? [] : { name: names[member] ?? member, value: text };
  });
}

/** `2,087`, `ytm in 12, duration in 1,200`; `a; b`; others as stored. */
function formatFact(value: unknown, isCount: boolean): string {
  if (isText(value)) return value;
  if (Array.isArray(value) && value.every(isText)) return value.join('; ');
  if (isCount && isInteger(value)) return value === 0 ? '' : formatNumber(value, 0);
  const text = JSON.stringify(value ?? '');
  const counts = text.startsWith('{') ? Object.entries(value ?? {}) : [];
  if (counts.length === 0) return ['""', '{}'].includes(text) ? '' : text;
  if (!isCount || !counts.every(([, count]) => isInteger(count))) return text;
  return counts.map(([name, count]) => `${name} in ${formatNumber(count, 0)}`).join(', ');
}

/** `quotes.csv line 7`, `a.xlsx sheet "B" row 7`, `a.json record 7 (line 1)`. */
export function formatWarningLocation({ file, sheet, place, at, line }: ReportWarning): string {
  if (at === null) return 'the data as a whole';
  const sheetText = sheet === undefined ? '' : ` sheet ${JSON.stringify(sheet)}`;
  return `${file}${sheetText} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}
