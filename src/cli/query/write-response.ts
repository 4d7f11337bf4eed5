import { escapeControlsInLines } from '../../shared/control-characters.ts';
import type { FormatWith } from '../../shared/formats.ts';
import { CommandError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { printLine, printNote, writeStdout } from '../output.ts';
import type { ResponsePage } from './fetch-pages.ts';

/** The formats of responses that are text. */
export type OutputFormat = FormatWith<{ responseRank: number }, { isText: true }>;

/** Writes a response as it was sent; several pages as one body. */
export async function writeResponse(pages: AsyncIterable<ResponsePage>, format: OutputFormat) {
  const { countRecords, joinPages } = OUTPUT_FORMATS[format];
  let count = 0;
  let last: ResponsePage | undefined;
  const countPages = async function* () {
    for await (const page of pages) {
      count += countRecords(page.text);
      last = page;
      yield page;
    }
  };
  for await (const chunk of joinPages(countPages())) {
    await writeStdout(process.stdout.isTTY ? escapeControlsInLines(chunk) : chunk);
  }
  if (last?.meta.next) printTruncationNote(count, last.meta.total, '--all');
}

/** Prints how many records match: the total of the first page, else the records of all pages. */
export async function printCount(pages: AsyncIterable<ResponsePage>): Promise<void> {
  let count = 0;
  for await (const { text, meta } of pages) {
    if (meta.total !== undefined) return printLine(String(meta.total));
    const { data } = JSON.parse(text) as { data: unknown };
    // The pages of one object differ in the list that it has.
    if (!Array.isArray(data)) return printLine('1');
    count += data.length;
  }
  printLine(String(count));
}

/** Says that not all records are shown, and which options show them. */
export function printTruncationNote(count: number, total: number | undefined, options: string) {
  const shown =
    total === undefined
      ? 'one page, and more match'
      : `${formatInteger(count)} of ${pluralize(total, 'record')}`;
  printNote(`showing ${shown}; use ${options} for all`);
}

interface PageFormat {
  /** Of its option. */
  readonly help: string;
  readonly countRecords: (text: string) => number;
  readonly joinPages: (pages: AsyncIterable<ResponsePage>) => AsyncIterable<string>;
}

export const OUTPUT_FORMATS: Readonly<Record<OutputFormat, PageFormat>> = {
  csv: {
    help: 'As CSV',
    countRecords: (text) => text.split('\r\n').length - 2,
    joinPages: joinCsvPages,
  },
  json: {
    help: 'As JSON: the body of the response',
    countRecords(text) {
      const { data } = JSON.parse(text) as { data?: { changes?: unknown } };
      const list = Array.isArray(data) ? data : data?.changes;
      return Array.isArray(list) ? list.length : 1;
    },
    joinPages: joinJsonPages,
  },
  ndjson: {
    help: 'As JSON, a record on each line',
    countRecords: (text) => text.split('\n').length - 1,
    async *joinPages(pages) {
      for await (const { text } of pages) yield text;
    },
  },
};

/** One table with the rows of all pages. Throws if their columns differ. */
export async function* joinCsvPages(pages: AsyncIterable<ResponsePage>): AsyncGenerator<string> {
  let header = '';
  for await (const { text } of pages) {
    if (!text.startsWith(header))
      throw new CommandError('the next page has other columns; use a larger limit, or --ndjson');
    yield text.slice(header.length);
    header ||= text.slice(0, text.indexOf('\r\n') + 2);
  }
}

/** The brackets of the list that continues on the next page: the records, or a revision's changes. */
const LIST_BRACKETS = [
  { start: '"data":[', end: ']}' },
  { start: ',"changes":[', end: ']}}' },
] as const;

/** One body with the entries of all pages in its list. */
async function* joinJsonPages(pages: AsyncIterable<ResponsePage>): AsyncGenerator<string> {
  let openEnd = '';
  for await (const { text, meta } of pages) {
    const { start, end } =
      LIST_BRACKETS.find((list) => text.includes(list.start)) ?? LIST_BRACKETS[0];
    // The lists are joined as text, so that every entry stays as it was sent.
    const entries = text.slice(text.indexOf(start) + start.length, -end.length);
    if (openEnd) yield entries && `,${entries}`;
    else yield meta.next ? text.slice(0, -end.length) : text;
    if (meta.next) openEnd = end;
  }
  yield `${openEnd}\n`;
}
