import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { ResponseMeta } from '../../client/response-meta.ts';
import { escapeControls } from '../../shared/control-characters.ts';
import type { Revision } from '../../store/open-store.ts';
import { CommandError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { printNote, printStyled } from '../output.ts';
import { formatCell, formatRecordList, formatTable } from '../terminal/table.ts';
import { createTerminalStyle } from '../terminal/terminal-style.ts';
import { fillLines, wrapIndented } from '../terminal/text.ts';
import { buildTable, type QueryTable } from './build-table.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { formatTrends } from './format-trends.ts';
import type { QueryTarget } from './query-target.ts';
import { printTruncationNote } from './write-response.ts';

/** A table is laid out in memory, and a person does not read more of one. */
const MAX_TABLE_RECORDS = 10_000;

/** Prints a response for people: a caption, the table, and a sparkline for each time series. */
export async function printTable(
  pages: AsyncIterable<ResponsePage>,
  target: QueryTarget,
  { width, hasSparklines }: { readonly width: number | undefined; readonly hasSparklines: boolean },
): Promise<void> {
  const { data, meta } = await collectPages(pages);
  const table = buildTable(target, data);
  const style = createTerminalStyle(process.stdout, process.env, width);
  const unit = findCommonUnit(table);
  const columns =
    unit === undefined ? table.columns : table.columns.map(({ unit: _, ...column }) => column);
  const rowCount = pluralize(table.rows.length, table.rowNoun);
  const facts = [unit, rowCount, formatRevision(meta)].filter((fact) => fact !== undefined);
  const entries = table.attributes.map(([name, value]) => ({
    name: escapeControls(name),
    value: formatCell(value),
  }));
  const blocks = [
    [
      style.bold(escapeControls(target.title)),
      ...fillLines(facts, ' · ', style.width).map(style.dim),
    ],
    formatRecordList([entries], style),
    (table.notes ?? []).flatMap((line) => wrapIndented(escapeControls(line), style.width)),
    table.rows.length > 0 ? formatTable(columns, table.rows, style) : [],
    hasSparklines ? formatTrends(table, style) : [],
  ];
  printStyled(
    blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
  printMissingNote(data, meta);
}

type PageMeta = Partial<ResponseMeta>;

/** The data of all pages in one list, up to the limit of a table, and the meta of the last page. */
async function collectPages(
  pages: AsyncIterable<ResponsePage>,
): Promise<{ data: unknown; meta: PageMeta }> {
  const records: unknown[] = [];
  let revision: AnyRecord | undefined;
  let lastMeta: PageMeta = {};
  for await (const { text, meta } of pages) {
    const { data } = JSON.parse(text) as { data?: AnyRecord };
    if (data === undefined) throw new CommandError('this response is not a table; use --json');
    const list = Array.isArray(data) ? data : data.changes;
    if (!Array.isArray(list)) return { data, meta };
    if (!Array.isArray(data)) revision ??= data;
    for (const record of list) records.push(record);
    lastMeta = meta;
    if (records.length >= MAX_TABLE_RECORDS) break;
  }
  return { data: revision ? { ...revision, changes: records } : records, meta: lastMeta };
}

function printMissingNote(data: unknown, { next, total }: PageMeta): void {
  if (!next) return;
  if (Array.isArray(data)) {
    const fitsTable = data.length < MAX_TABLE_RECORDS && (total ?? 0) <= MAX_TABLE_RECORDS;
    printTruncationNote(data.length, total, fitsTable ? '--all' : '--csv --all');
    return;
  }
  const { changes, added, corrected, retired } = data as Revision & { changes: unknown[] };
  const changeCount = formatInteger(added + corrected + retired);
  const option = changes.length < MAX_TABLE_RECORDS ? '--all' : '--json --all';
  printNote(
    `showing ${formatInteger(changes.length)} of ${changeCount} changes; use ${option} for all`,
  );
}

function findCommonUnit({ columns }: QueryTable): string | undefined {
  const units = new Set(columns.flatMap(({ isNumeric, unit }) => (isNumeric ? [unit] : [])));
  return units.size === 1 ? [...units][0] : undefined;
}

/** The revision of a response, with its instant if the response is historical. */
function formatRevision({ revision, memento }: PageMeta): string | undefined {
  if (revision === undefined) return undefined;
  const instant = memento?.toISOString().replace('.000', '');
  if (revision === 0) return `nothing published ${instant ? `by ${instant}` : 'yet'}`;
  return instant ? `revision ${revision} of ${instant}` : `revision ${revision}`;
}
