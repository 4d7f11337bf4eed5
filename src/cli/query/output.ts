import { tally } from '../../publish/report.ts';
import { print } from '../command.ts';
import { written } from '../stdout.ts';
import { visibleLines } from '../terminal/text.ts';
import { note } from './note.ts';
import type { Page } from './pages.ts';

/** How an answer can be written for programs. */
export type Format = 'csv' | 'json' | 'ndjson';

/** Writes an answer as it was sent; several pages as one. */
export async function writeAnswer(found: AsyncIterable<Page>, format: Format): Promise<void> {
  let count = 0;
  let last: Page | undefined;
  const counting = async function* () {
    for await (const page of found) {
      count += recordsIn[format](page.text);
      last = page;
      yield page;
    }
  };
  for await (const piece of joined[format](counting())) await write(piece);
  if (last?.hasNext) tellRest(count, last.total, '--all');
}

/** Prints how many records match, given all pages: the first one says so, or they are counted. */
export async function printCount(found: AsyncIterable<Page>): Promise<void> {
  let count = 0;
  for await (const { text, total } of found) {
    if (total !== undefined) return print(String(total));
    count += countIn(text);
  }
  print(String(count));
}

/** Says that there is more than was shown, and how to get it. */
export function tellRest(shown: number, total: number | undefined, how: string): void {
  const of = total === undefined ? 'records, and more match' : `of ${tally(total)} records`;
  note(`this is ${tally(shown)} ${of}; ${how} gives all of them`);
}

function countIn(text: string): number {
  const { data } = JSON.parse(text) as { data: unknown };
  return Array.isArray(data) ? data.length : 1;
}

const recordsIn: Readonly<Record<Format, (text: string) => number>> = {
  csv: (text) => text.split('\r\n').length - 2,
  json: countIn,
  ndjson: (text) => text.split('\n').length - 1,
};

const joined: Readonly<Record<Format, (pages: AsyncIterable<Page>) => AsyncIterable<string>>> = {
  csv: joinedCsv,
  json: joinedJson,
  ndjson: async function* (pages) {
    for await (const { text } of pages) yield text;
  },
};

/** One header row, and the rows of every page. */
async function* joinedCsv(pages: AsyncIterable<Page>): AsyncGenerator<string> {
  let header: string | undefined;
  for await (const { text } of pages) {
    const end = text.indexOf('\r\n') + 2;
    yield header === undefined ? text : text.slice(end);
    header ??= text.slice(0, end);
    // Only quotes and revisions come in pages, and their columns are always the same.
    if (!text.startsWith(header)) throw new TypeError('pages with different columns');
  }
}

const DATA = '"data":[';

/** One body, with the records of every page in its list. */
async function* joinedJson(pages: AsyncIterable<Page>): AsyncGenerator<string> {
  let isOpen = false;
  for await (const { text, hasNext } of pages) {
    // What is sent is kept to the letter: the list is opened at its brackets.
    const list = text.slice(text.indexOf(DATA) + DATA.length, -']}'.length);
    if (isOpen) yield list && `,${list}`;
    else yield hasNext ? text.slice(0, -']}'.length) : text;
    isOpen ||= hasNext;
  }
  yield isOpen ? ']}\n' : '\n';
}

/** A terminal gets nothing that it acts on. */
function write(text: string): Promise<void> {
  return written(process.stdout.isTTY ? visibleLines(text) : text);
}
