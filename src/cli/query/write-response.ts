import { printLine } from '../command.ts';
import { formatCount } from '../format-report.ts';
import { escapeControlsInLines } from '../terminal/text.ts';
import { writeStdout } from '../write-stdout.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { printNote } from './print-note.ts';

/** How an answer can be written for programs. */
export type OutputFormat = 'csv' | 'json' | 'ndjson';

/** Writes an answer as it was sent; several pages as one. */
export async function writeResponse(
  found: AsyncIterable<ResponsePage>,
  format: OutputFormat,
): Promise<void> {
  let count = 0;
  let last: ResponsePage | undefined;
  const counting = async function* () {
    for await (const page of found) {
      count += RECORD_COUNTERS[format](page.text);
      last = page;
      yield page;
    }
  };
  for await (const chunk of PAGE_JOINERS[format](counting())) await writeVisible(chunk);
  if (last?.hasNext) printTruncationNote(count, last.total, '--all');
}

/** Prints how many records match, given all pages: the first one says so, or they are counted. */
export async function printCount(found: AsyncIterable<ResponsePage>): Promise<void> {
  let count = 0;
  for await (const { text, total } of found) {
    if (total !== undefined) return printLine(String(total));
    const { data } = JSON.parse(text) as { data: unknown };
    // Pages of one object differ in the list that it has.
    if (!Array.isArray(data)) return printLine('1');
    count += data.length;
  }
  printLine(String(count));
}

/** Says that there is more than was shown, and how to get it. */
export function printTruncationNote(shown: number, total: number | undefined, how: string): void {
  const of = total === undefined ? 'records, and more match' : `of ${formatCount(total)} records`;
  printNote(`this is ${formatCount(shown)} ${of}; ${how} gives all of them`);
}

function countRecords(text: string): number {
  const { data } = JSON.parse(text) as { data: { changes?: unknown } };
  const list = Array.isArray(data) ? data : data.changes;
  return Array.isArray(list) ? list.length : 1;
}

const RECORD_COUNTERS: Readonly<Record<OutputFormat, (text: string) => number>> = {
  csv: (text) => text.split('\r\n').length - 2,
  json: countRecords,
  ndjson: (text) => text.split('\n').length - 1,
};

const PAGE_JOINERS: Readonly<
  Record<OutputFormat, (pages: AsyncIterable<ResponsePage>) => AsyncIterable<string>>
> = {
  csv: joinCsvPages,
  json: joinJsonPages,
  ndjson: async function* (pages) {
    for await (const { text } of pages) yield text;
  },
};

/** One header row, and the rows of every page. */
async function* joinCsvPages(pages: AsyncIterable<ResponsePage>): AsyncGenerator<string> {
  let header: string | undefined;
  for await (const { text } of pages) {
    const end = text.indexOf('\r\n') + 2;
    yield header === undefined ? text : text.slice(end);
    header ??= text.slice(0, end);
    // Only quotes and revisions come in pages, and their columns are always the same.
    if (!text.startsWith(header)) throw new TypeError('pages with different columns');
  }
}

/** The brackets of the list that continues on the next page: the records, or a revision's changes. */
const LIST_BRACKETS = [
  { start: '"data":[', end: ']}' },
  { start: ',"changes":[', end: ']}}' },
] as const;

/** One body, with the entries of every page in its list. */
async function* joinJsonPages(pages: AsyncIterable<ResponsePage>): AsyncGenerator<string> {
  let openEnd = '';
  for await (const { text, hasNext } of pages) {
    const { start, end } =
      LIST_BRACKETS.find((list) => text.includes(list.start)) ?? LIST_BRACKETS[0];
    // Entries keep their spelling.
    const entries = text.slice(text.indexOf(start) + start.length, -end.length);
    if (openEnd) yield entries && `,${entries}`;
    else yield hasNext ? text.slice(0, -end.length) : text;
    if (hasNext) openEnd = end;
  }
  yield `${openEnd}\n`;
}

/** A terminal gets nothing that it acts on. */
function writeVisible(text: string): Promise<void> {
  return writeStdout(process.stdout.isTTY ? escapeControlsInLines(text) : text);
}
