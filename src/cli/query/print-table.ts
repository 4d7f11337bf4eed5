import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { Revision } from '../../store/open-store.ts';
import { CommandError, printLine } from '../command.ts';
import { formatCount } from '../format-report.ts';
import { pluralize } from '../publishing.ts';
import { formatRecordList } from '../terminal/record-list.ts';
import { formatCell, formatTable } from '../terminal/table.ts';
import type { TerminalStyle } from '../terminal/terminal-style.ts';
import { createTerminalStyle } from '../terminal/terminal-style.ts';
import { escapeControls, fillLines, wrapIndented } from '../terminal/text.ts';
import { buildTable } from './build-table.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { formatTrends } from './format-trends.ts';
import { printNote } from './print-note.ts';
import type { QueryTable } from './query-table.ts';
import type { QueryTarget } from './query-target.ts';
import { printTruncationNote } from './write-response.ts';

/** A table is put together before it is printed, and nobody reads more of one. */
const MAX_TABLE_RECORDS = 10_000;

/** Prints an answer for people: what it is, the table, and how its figures went in time. */
export async function printTable(
  found: AsyncIterable<ResponsePage>,
  target: QueryTarget,
  { width, hasSparklines }: { readonly width: number | undefined; readonly hasSparklines: boolean },
): Promise<void> {
  const { data, last } = await collectPages(found);
  const sheet = buildTable(target.dataset, data);
  const style = createTerminalStyle(process.stdout, process.env, width);
  const unit = findCommonUnit(sheet);
  const columns =
    unit === undefined ? sheet.columns : sheet.columns.map(({ unit: _, ...column }) => column);
  const entries = sheet.attributes.map(([name, value]) => ({ name, value: formatCell(value) }));
  const parts = [
    formatCaption(target, sheet, unit, last, style),
    formatRecordList([entries], style),
    (sheet.notes ?? []).flatMap((line) => wrapIndented(escapeControls(line), style.width)),
    sheet.rows.length > 0 ? formatTable(columns, sheet.rows, style) : [],
    hasSparklines ? formatTrends(sheet, style) : [],
  ];
  printLine(
    parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
  printCutNote(data, last);
}

/** The data of all pages as one, up to what a table may have. */
async function collectPages(
  found: AsyncIterable<ResponsePage>,
): Promise<{ data: unknown; last: ResponsePage }> {
  const records: unknown[] = [];
  let revision: AnyRecord | undefined;
  let last: ResponsePage = { text: '', hasNext: false };
  for await (const page of found) {
    const { data } = JSON.parse(page.text) as { data?: AnyRecord };
    if (data === undefined) throw new CommandError('there is no table of this; --json gives it');
    const list = Array.isArray(data) ? data : data.changes;
    if (!Array.isArray(list)) return { data, last: page };
    if (!Array.isArray(data)) revision ??= data;
    for (const record of list) records.push(record);
    last = page;
    if (records.length >= MAX_TABLE_RECORDS) break;
  }
  return { data: revision ? { ...revision, changes: records } : records, last };
}

/** Nothing is left out without a word. */
function printCutNote(data: unknown, { hasNext, total }: ResponsePage): void {
  if (Array.isArray(data)) {
    const isShort = data.length < MAX_TABLE_RECORDS && (total ?? 0) <= MAX_TABLE_RECORDS;
    if (hasNext) printTruncationNote(data.length, total, isShort ? '--all' : '--csv --all');
    return;
  }
  if (!hasNext) return;
  const { changes, added, corrected, retired } = data as Revision & { changes: unknown[] };
  const all = formatCount(added + corrected + retired);
  const option = changes.length < MAX_TABLE_RECORDS ? '--all' : '--json --all';
  printNote(
    `this is ${formatCount(changes.length)} of ${all} changes; ${option} gives all of them`,
  );
}

/** The unit of all figures, where they have one and the same: it is said once. */
function findCommonUnit({ columns }: QueryTable): string | undefined {
  const units = new Set(columns.flatMap(({ isNumeric, unit }) => (isNumeric ? [unit] : [])));
  return units.size === 1 ? [...units][0] : undefined;
}

function formatCaption(
  { title }: QueryTarget,
  { rows, rowNoun }: QueryTable,
  unit: string | undefined,
  page: ResponsePage,
  { bold, dim, width }: TerminalStyle,
): string[] {
  const facts = [
    ...(unit === undefined ? [] : [unit]),
    pluralize(rows.length, rowNoun),
    formatRevision(page),
  ];
  const lines = fillLines(facts.filter(Boolean), ' · ', width);
  return [bold(escapeControls(title)), ...lines.map(dim)];
}

/** Which revision an answer is from, and of when that is where the past was asked for. */
function formatRevision({ revision, mementoDatetime }: ResponsePage): string {
  if (revision === undefined) return '';
  const instant = mementoDatetime?.toISOString().replace('.000', '');
  if (revision === 0) return `nothing published ${instant ? `by ${instant}` : 'yet'}`;
  return instant ? `revision ${revision} of ${instant}` : `revision ${revision}`;
}
