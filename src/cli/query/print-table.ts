import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import type { ResponseMeta } from '../../client/response-meta.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { escapeControls } from '../../shared/control-characters.ts';
import type { Revision } from '../../store/open-store.ts';
import { formatInteger, pluralize } from '../format.ts';
import { printNote, printStyled } from '../output.ts';
import { formatCell, formatRecordList, formatTable } from '../terminal/table.ts';
import { createTerminalStyle } from '../terminal/terminal-style.ts';
import { fillLines, wrapIndented } from '../terminal/text.ts';
import { collectItems, collectRows, MAX_TABLE_RECORDS, type ResponseRows } from './collect-rows.ts';
import type { ResponsePage } from './fetch-pages.ts';
import { formatTrends, type QueryColumn } from './format-trends.ts';
import type { QueryTarget } from './query-target.ts';
import { printTruncationNote } from './write-response.ts';

/** Prints a response for people: a caption, the table, and a sparkline for each time series. */
export async function printTable(
  pages: AsyncIterable<ResponsePage>,
  { title, dataset, isTabular }: Pick<QueryTarget, 'title' | 'dataset' | 'isTabular'>,
  { width, hasSparklines }: { readonly width: number | undefined; readonly hasSparklines: boolean },
): Promise<void> {
  const table = await (isTabular ? collectRows(pages) : collectItems(pages));
  const { rows, meta, attributes = [], notes = [] } = table;
  const style = createTerminalStyle(process.stdout, process.env, width);
  const axes = dataset && findAxes(dataset, table);
  const columns = table.names.map((name, index) => describeColumn(table, name, index, dataset));
  const units = new Set(
    meta.units ?? columns.flatMap(({ isNumeric, unit }) => (isNumeric ? [unit] : [])),
  );
  const [commonUnit] = units.size === 1 ? units : [];
  const facts = [
    commonUnit,
    pluralize(rows.length, dataset?.shape === 'fund' ? 'period' : 'record'),
    formatRevision(meta),
  ].filter((fact) => fact !== undefined);
  const entries = attributes.map(([name, value]) => ({
    name: escapeControls(name),
    value: formatCell(value),
  }));
  const shown = commonUnit ? columns.map(({ unit: _, ...column }) => column) : columns;
  const blocks = [
    [style.bold(escapeControls(title)), ...fillLines(facts, ' · ', style.width).map(style.dim)],
    formatRecordList([entries], style),
    notes.flatMap((line) => wrapIndented(escapeControls(line), style.width)),
    rows.length > 0 ? formatTable(shown, rows, style) : [],
    hasSparklines && axes ? formatTrends(columns, rows, axes, style) : [],
  ];
  printStyled(
    blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
  printMissingNote(table);
}

function describeColumn(
  { rows, meta }: ResponseRows,
  name: string,
  index: number,
  dataset: Dataset | undefined,
): QueryColumn {
  const isKey = dataset ? getKeyFields(dataset).includes(name) : index === 0;
  const { unit, decimals, kind } = (dataset && findField(dataset, name)) ?? {};
  const cells = rows.flatMap((row) => row[index] ?? []);
  return {
    name,
    isKey,
    isNumeric: !(dataset && isKey) && cells.every(Number.isFinite),
    // The server says those of computed figures.
    ...(unit !== undefined && !meta.units && { unit }),
    ...(decimals !== undefined && !meta.units && { decimals }),
    isZeroMissing: dataset?.shape === 'quotes' && (kind === 'price' || kind === 'percent'),
  };
}

/** The field of a column; that of a keyed list is named `field.key`. */
function findField({ fields }: Dataset, column: string): Field | undefined {
  const [name = '', ...key] = column.split('.');
  return key.length > 0 ? fields[name]?.itemFields?.value : fields[name];
}

/** The columns of time and dimensions if each numeric column is a series, or several. */
function findAxes(dataset: Dataset, { names, rows }: ResponseRows): readonly string[] | undefined {
  const { shape, period } = dataset;
  if (period) return getKeyFields(dataset);
  if (shape === 'fund') return ['period'];
  const index = names.indexOf('symbol');
  const symbols = new Set(rows.map((cells) => String(cells[index]).toLowerCase()));
  return shape === 'quotes' && symbols.size === 1 ? ['date'] : undefined;
}

function printMissingNote({ meta: { next, total }, count, revision }: ResponseRows): void {
  if (!next) return;
  const isFull = count >= MAX_TABLE_RECORDS;
  if (!revision) {
    const fitsTable = !isFull && (total ?? 0) <= MAX_TABLE_RECORDS;
    printTruncationNote(count, total, fitsTable ? '--all' : '--csv --all');
    return;
  }
  const { added, corrected, retired } = revision as unknown as Revision;
  const changeCount = formatInteger(added + corrected + retired);
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
