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
}

/** The report of a revision is any JSON: members that are not as expected are shown as stored. */
export function parseReport({ skipped, warnings, ...counts }: Members, options: Members) {
  const texts = Array.isArray(skipped) && skipped.every(isText) && skipped;
  const groups = Array.isArray(warnings) && warnings.every(isWarningGroup) && warnings;
  const unknown = { ...(!texts && { skipped }), ...(!groups && { warnings }) };
  return {
    skipped: texts || [],
    warnings: groups || [],
    facts: [
      ...listFacts(options, { muted: 'Muted rules' }),
      ...listFacts({ ...counts, ...unknown }, COUNT_NAMES),
    ],
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isWarningGroup = (group?: Partial<ReportWarningGroup>): group is ReportWarningGroup =>
  isText(group?.rule) &&
  Number.isInteger(group.count) &&
  Array.isArray(group.first) &&
  group.first.every((warning) => isText(warning?.text));

const COUNT_NAMES = {
  records: 'Records read',
  encodings: 'Decoded',
  computed: 'Computed',
  uncomputable: 'Not computable, so 0',
  statuses: 'Status',
  terms: 'Securities with new terms',
  muted: 'Muted warnings',
};

/** Members as texts, without those that are empty; those that have names here are counts. */
function listFacts(members: Members, names: Readonly<Record<string, string>>) {
  return Object.entries(members).flatMap(([member, value]) => {
    const { [member]: name } = names;
    const text = (name && formatCounts(value)) ?? formatStored(value);
    return text === '' ? [] : { name: name ?? member, value: text };
  });
}

/** `2,087`; `ytm in 12, duration in 1,200`; undefined of what is no count. */
function formatCounts(value: unknown): string | undefined {
  if (Number.isInteger(value)) return value === 0 ? '' : formatNumber(value as number, 0);
  const counts = Object.entries(value ?? {});
  if (Array.isArray(value) || !counts.every(([, count]) => Number.isInteger(count))) return;
  return typeof value === 'object' ? counts.map(formatCount).join(', ') : undefined;
}

const formatCount = ([name, count]: [string, number]) => `${name} in ${formatNumber(count, 0)}`;

function formatStored(value: unknown): string {
  if (isText(value)) return value;
  if (Array.isArray(value) && value.every(isText)) return value.join('; ');
  const text = JSON.stringify(value ?? '');
  return ['""', '{}'].includes(text) ? '' : text;
}

/** `quotes.csv line 7`, `a.xlsx sheet "B" row 7`, `a.json record 7 (line 1)`. */
export function formatLocation({ file, sheet, place, at, line }: ReportWarning): string {
  if (at === null) return 'the data as a whole';
  const sheetText = sheet === undefined ? '' : ` sheet ${JSON.stringify(sheet)}`;
  return `${file}${sheetText} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}
