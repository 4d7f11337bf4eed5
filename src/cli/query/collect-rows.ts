import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { ResponseMeta } from '../../client/response-meta.ts';
import { DelimitedRowParser } from '../../formats/delimited/row-parser.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { CommandError } from '../command.ts';
import { formatReport } from '../format.ts';
import type { TerminalCell } from '../terminal/table.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { joinCsvPages } from './write-response.ts';

/** A table is laid out in memory, and a person does not read more of one. */
export const MAX_TABLE_RECORDS = 10_000;

/** What a response has as rows of cells. */
export interface ResponseRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly TerminalCell[])[];
  /** How many records or changes were read. */
  readonly count: number;
  /** Of the last page. */
  readonly meta: Partial<ResponseMeta>;
  /** The revision whose changes the rows are. */
  readonly revision?: AnyRecord;
  /** Names and values above the table. */
  readonly attributes?: readonly (readonly [name: string, value: TerminalCell])[];
  readonly notes?: readonly string[];
}

/** The rows of CSV, up to the limit of a table. */
export async function collectRows(pages: AsyncIterable<ResponsePage>): Promise<ResponseRows> {
  const parser = new DelimitedRowParser(',');
  const lines: string[][] = [];
  let meta: Partial<ResponseMeta> = {};
  const readPages = async function* () {
    for await (const page of pages) {
      meta = page.meta;
      yield page;
      if (lines.length > MAX_TABLE_RECORDS) return;
    }
  };
  for await (const text of joinCsvPages(readPages())) {
    parser.feed(text);
    for (const { cells } of parser.takeRows()) lines.push(cells as string[]);
  }
  const [names = [], ...texts] = lines;
  // The order of a list only matters in files that are loaded again.
  const columns = names.flatMap((name, index) => {
    if (names.some((other) => other.startsWith(`${name}.`))) return [];
    return [{ name, cells: toCells(texts.map((cells) => cells[index] ?? '')) }];
  });
  return {
    names: columns.map(({ name }) => name),
    rows: texts.map((_, row) => columns.map(({ cells }) => cells[row] ?? null)),
    count: texts.length,
    meta,
  };
}

/** The cells of a column: numbers if there are no other texts, null for each blank. */
function toCells(texts: readonly string[]): TerminalCell[] {
  const isNumeric = texts.every((text) => text === '' || JSON.stringify(Number(text)) === text);
  return texts.map((text) => (text === '' ? null : isNumeric ? Number(text) : text));
}

/** The rows of JSON that comes in no other format: a list, or an object that may have a list of changes. */
export async function collectItems(pages: AsyncIterable<ResponsePage>): Promise<ResponseRows> {
  const items: AnyRecord[] = [];
  let object: AnyRecord | undefined;
  let lastMeta: Partial<ResponseMeta> = {};
  for await (const { text, meta } of pages) {
    const { data } = JSON.parse(text) as { data?: AnyRecord | AnyRecord[] };
    if (data === undefined) throw new CommandError('this response is not a table; use --json');
    if (!Array.isArray(data)) object ??= data;
    for (const item of (Array.isArray(data) ? data : (data.changes ?? [])) as AnyRecord[])
      items.push(item);
    lastMeta = meta;
    if (items.length >= MAX_TABLE_RECORDS) break;
  }
  const records = items.map((item) => new Map(flattenObject(item)));
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const rows = records.map((record) => names.map((name) => record.get(name) ?? null));
  const table = { names, rows, count: items.length, meta: lastMeta };
  if (!object) return table;
  const { changes, report, ...attributes } = object;
  return {
    ...table,
    ...(changes !== undefined && { revision: object }),
    attributes: flattenObject(attributes),
    notes: formatReport((report ?? {}) as Partial<LoadReport>),
  };
}

/** The values of an object that are not null; nested ones are named `outer.inner`. */
function flattenObject(object: AnyRecord, prefix = ''): [name: string, value: TerminalCell][] {
  return Object.entries(object).flatMap(([name, value]): [string, TerminalCell][] => {
    if (isPlainObject(value)) return flattenObject(value, `${prefix}${name}.`);
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    const cell = Array.isArray(value) ? value.map(formatItem).join(', ') : (value as TerminalCell);
    return [[`${prefix}${name}`, cell]];
  });
}

const formatItem = (item: unknown) =>
  isPlainObject(item) ? String(item.name ?? JSON.stringify(item)) : String(item);
