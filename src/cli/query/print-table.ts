import type { AnyRecord } from '../../catalogue/dataset.ts';
import { tally } from '../../publish/report.ts';
import type { Revision } from '../../store/index.ts';
import { print, Refused } from '../command.ts';
import { counted } from '../publishing.ts';
import type { Look } from '../terminal/look.ts';
import { lookOf } from '../terminal/look.ts';
import { recordLines } from '../terminal/records.ts';
import { cellText, tableLines } from '../terminal/table.ts';
import { filledLines, indentedLines, visible } from '../terminal/text.ts';
import { note } from './note.ts';
import { tellRest } from './output.ts';
import type { Page } from './pages.ts';
import type { Sheet } from './sheet.ts';
import { sheetOf } from './sheet-of.ts';
import type { Asked } from './target.ts';
import { trendLines } from './trends.ts';

/** A table is put together before it is printed, and nobody reads more of one. */
const MOST_RECORDS = 10_000;

/** Prints an answer for people: what it is, the table, and how its figures went in time. */
export async function printTable(
  found: AsyncIterable<Page>,
  asked: Asked,
  { width, hasSparklines }: { readonly width: number | undefined; readonly hasSparklines: boolean },
): Promise<void> {
  const { data, last } = await gathered(found);
  const sheet = sheetOf(asked.dataset, data);
  const look = lookOf(process.stdout, process.env, width);
  const unit = sharedUnit(sheet);
  const columns =
    unit === undefined ? sheet.columns : sheet.columns.map(({ unit: _, ...column }) => column);
  const entries = sheet.about.map(([name, value]) => ({ name, value: cellText(value) }));
  const parts = [
    captionLines(asked, sheet, unit, last, look),
    recordLines([entries], look),
    (sheet.notes ?? []).flatMap((line) => indentedLines(visible(line), look.width)),
    sheet.rows.length > 0 ? tableLines(columns, sheet.rows, look) : [],
    hasSparklines ? trendLines(sheet, look) : [],
  ];
  print(
    parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
  tellCut(data, last);
}

/** The data of all pages as one, up to what a table may have. */
async function gathered(found: AsyncIterable<Page>): Promise<{ data: unknown; last: Page }> {
  const records: unknown[] = [];
  let last: Page = { text: '', hasNext: false };
  for await (const page of found) {
    const { data } = JSON.parse(page.text) as { data?: unknown };
    if (data === undefined) throw new Refused('there is no table of this; --json gives it');
    if (!Array.isArray(data)) return { data, last: page };
    for (const record of data) records.push(record);
    last = page;
    if (records.length >= MOST_RECORDS) break;
  }
  return { data: records, last };
}

/** Nothing is left out without a word. */
function tellCut(data: unknown, { hasNext, total }: Page): void {
  if (Array.isArray(data)) {
    const isShort = data.length < MOST_RECORDS && (total ?? 0) <= MOST_RECORDS;
    if (hasNext) tellRest(data.length, total, isShort ? '--all' : '--csv --all');
    return;
  }
  // One revision tells of some of its changes, and counts all of them.
  const { changes, added, corrected, retired } = data as Partial<Revision> & AnyRecord;
  if (!Array.isArray(changes)) return;
  const changed = Number(added) + Number(corrected) + Number(retired);
  if (changes.length < changed)
    note(`this is ${tally(changes.length)} of ${tally(changed)} changes; limit=N gives more`);
}

/** The unit of all figures, where they have one and the same: it is said once. */
function sharedUnit({ columns }: Sheet): string | undefined {
  const units = new Set(columns.flatMap(({ isFigure, unit }) => (isFigure ? [unit] : [])));
  return units.size === 1 ? [...units][0] : undefined;
}

function captionLines(
  { title }: Asked,
  { rows, row }: Sheet,
  unit: string | undefined,
  page: Page,
  { bold, dim, width }: Look,
): string[] {
  const facts = [...(unit === undefined ? [] : [unit]), counted(rows.length, row), standing(page)];
  const lines = filledLines(facts.filter(Boolean), ' · ', width);
  return [bold(visible(title)), ...lines.map(dim)];
}

/** Which revision an answer is from, and of when that is where the past was asked for. */
function standing({ revision, memento }: Page): string {
  if (revision === undefined) return '';
  const instant = memento?.toISOString().replace('.000', '');
  if (revision === 0) return `nothing published ${instant ? `by ${instant}` : 'yet'}`;
  return instant ? `revision ${revision} of ${instant}` : `revision ${revision}`;
}
