import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { ResponseMeta } from '../../client/response-meta.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { escapeControls } from '../../shared/control-characters.ts';
import { CommandError } from '../command.ts';
import { formatInteger, formatReport, pluralize } from '../format.ts';
import { printNote, printStyled } from '../output.ts';
import {
  formatCell,
  formatRecordList,
  formatTable,
  type TerminalColumn,
} from '../terminal/table.ts';
import { createTerminalStyle } from '../terminal/terminal-style.ts';
import { fillLines, wrapIndented } from '../terminal/text.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { flattenObject, listRows, type Row } from './list-rows.ts';
import type { QueryTarget } from './query-target.ts';
import { printTruncationNote } from './write-response.ts';

type TableTarget = Pick<QueryTarget, 'title' | 'dataset' | 'isTabular' | 'rowList'>;

/** A table is laid out in memory, and a person does not read more of one. */
const MAX_TABLE_RECORDS = 10_000;

/** Prints a response for people: a caption, what an object says of itself, and a table. */
export async function printTable(
  pages: AsyncIterable<ResponsePage>,
  target: TableTarget,
  width: number | undefined,
): Promise<void> {
  const { items, object = {}, meta } = await collectItems(pages, target.isTabular);
  const rows = items.flatMap((item) => listRows(item, target.rowList));
  const style = createTerminalStyle(process.stdout, process.env, width);
  const columns = describeColumns(rows, meta, target);
  const units = new Set(
    meta.units ?? columns.flatMap(({ isNumeric, unit }) => (isNumeric ? [unit] : [])),
  );
  const [commonUnit] = units.size === 1 ? units : [];
  const facts = [
    commonUnit,
    pluralize(rows.length, target.dataset?.shape === 'fund' ? 'period' : 'record'),
    formatRevision(meta),
  ].filter((fact) => fact !== undefined);
  const { changes: _, report = {}, ...attributes } = object;
  const entries = flattenObject(attributes).flatMap(([name, value]) =>
    value === null ? [] : { name: escapeControls(name), value: formatCell(value) },
  );
  const shown = commonUnit ? columns.map(({ unit: _, ...column }) => column) : columns;
  const cells = rows.map((row) => columns.map(({ name }) => row.get(name) ?? null));
  const notes = formatReport(report as Partial<LoadReport>);
  const blocks = [
    [
      style.bold(escapeControls(target.title)),
      ...fillLines(facts, ' · ', style.width).map(style.dim),
    ],
    formatRecordList([entries], style),
    notes.flatMap((line) => wrapIndented(escapeControls(line), style.width)),
    rows.length > 0 ? formatTable(shown, cells, style) : [],
  ].filter((lines) => lines.length > 0);
  printStyled(blocks.map((lines) => lines.join('\n')).join('\n\n'));
  printMissingNote(items.length, meta, object);
}

/** The records of the pages, or the object whose changes they have, up to the limit of a table. */
async function collectItems(pages: AsyncIterable<ResponsePage>, isTabular: boolean) {
  const items: AnyRecord[] = [];
  let object: AnyRecord | undefined;
  let meta: Partial<ResponseMeta> = {};
  for await (const page of pages) {
    meta = page.meta;
    const data = isTabular ? parseLines(page.text) : JSON.parse(page.text).data;
    if (data === undefined) throw new CommandError('this response is not a table; use --json');
    if (!Array.isArray(data)) object ??= data;
    items.push(...(Array.isArray(data) ? data : (data.changes ?? [])));
    if (items.length >= MAX_TABLE_RECORDS) break;
  }
  return { items, object, meta };
}

function parseLines(text: string): AnyRecord[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

function describeColumns(
  rows: readonly Row[],
  { units }: Partial<ResponseMeta>,
  { dataset, isTabular }: TableTarget,
): TerminalColumn[] {
  const cells = rows.flatMap((row) => [...row]);
  // Fields of objects that are no table may be there for others.
  const filled = isTabular ? cells : cells.filter(([, cell]) => cell !== null);
  const names = [...new Set(filled.map(([name]) => name))];
  return names.map((name, index) => {
    const isKey = dataset ? getKeyFields(dataset).includes(name) : index === 0;
    const isNumeric = !(dataset && isKey) && rows.every((row) => isNumber(row.get(name)));
    // The server says those of computed figures.
    const { unit, decimals } = (!units && dataset && findField(dataset, name)) || {};
    const figure = { ...(unit !== undefined && { unit }), ...(decimals && { decimals }) };
    return { name, isKey, isNumeric, ...figure };
  });
}

const isNumber = (cell: unknown) => (cell ?? null) === null || typeof cell === 'number';

/** The field of a column; that of a list with keys is named `field.key`. */
function findField({ fields }: Dataset, column: string) {
  const [name = '', ...key] = column.split('.');
  return key.length > 0 ? fields[name]?.itemFields?.value : fields[name];
}

function printMissingNote(
  count: number,
  { next, total }: Partial<ResponseMeta>,
  { changes, added, corrected, retired }: AnyRecord,
): void {
  if (!next) return;
  const isFull = count >= MAX_TABLE_RECORDS || (total ?? 0) > MAX_TABLE_RECORDS;
  if (changes === undefined) {
    printTruncationNote(count, total, isFull ? '--csv --all' : '--all');
    return;
  }
  const changeCount = formatInteger(Number(added) + Number(corrected) + Number(retired));
  const option = isFull ? '--json --all' : '--all';
  printNote(`showing ${formatInteger(count)} of ${changeCount} changes; use ${option} for all`);
}

/** The revision of a response, with its instant if the response is historical. */
function formatRevision({ revision, memento }: Partial<ResponseMeta>): string | undefined {
  if (revision === undefined) return undefined;
  const instant = memento?.toISOString().replace('.000', '');
  if (revision === 0) return `nothing published ${instant ? `by ${instant}` : 'yet'}`;
  return instant ? `revision ${revision} of ${instant}` : `revision ${revision}`;
}
