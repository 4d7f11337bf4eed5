import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { CellRow, CellTable, LocationUnit } from '../../formats/read-contents.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { createConverter, InvalidCell } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { DraftContext } from './draft-record.ts';
import {
  type CreatePlan,
  findHeader,
  getColumnNames,
  HEADER_CHARACTERS,
  HEADER_SEARCH_ROWS,
} from './find-header.ts';

/** A row below the header, with the problems of the complete row. */
export interface DataRow {
  readonly position: number;
  readonly cells: RowCells;
  readonly problems: readonly FieldProblem[];
}

/** Finds the header of a table, and streams the rows below it. */
export async function readDataRows(
  { rows, locationUnit: unit, isSpreadsheet }: CellTable,
  createPlan: CreatePlan,
  { dataset, mapping: { headerRow }, onSkipped }: DraftContext,
): Promise<{ plan: ColumnPlan; rows: AsyncIterable<readonly DataRow[]> }> {
  const batches = rows[Symbol.asyncIterator]();
  const head: CellRow[] = [];
  const readHead = async () => {
    let characters = 0;
    const isShort = () => (head.at(-1)?.position ?? 0) < (headerRow ?? 0);
    while (characters <= HEADER_CHARACTERS && (head.length < HEADER_SEARCH_ROWS || isShort())) {
      const next = await batches.next();
      if (next.done) break;
      head.push(...next.value);
      for (const { cells } of next.value) characters += cells.join(',').length;
    }
    return findHeader(head, createPlan, unit, headerRow);
  };
  const { index, plan } = await readHead().catch(async (cause) => {
    // Otherwise its file stays open.
    await batches.return?.();
    throw cause;
  });
  const header = head[index] as CellRow;
  if (index > 0)
    onSkipped(`${unit} ${head[0]?.position} to the header in ${unit} ${header.position}`);
  const names = getColumnNames(header);
  const width = names.findLastIndex((name) => name !== '') + 1;
  const layout = {
    unit,
    width,
    maxCells: names.length,
    unnamedColumns: plan.unnamedColumns,
    isFootnote: isSpreadsheet ? createFootnoteDetector(plan, dataset, width) : () => false,
  };
  async function* rowsBelowHeader() {
    yield head.slice(index + 1);
    yield* { [Symbol.asyncIterator]: () => batches };
  }
  return { plan, rows: streamDataRows(rowsBelowHeader(), layout, onSkipped) };
}

async function* streamDataRows(
  batches: AsyncIterable<readonly CellRow[]>,
  layout: RowLayout,
  onSkipped: DraftContext['onSkipped'],
): AsyncGenerator<readonly DataRow[]> {
  const { unit, isFootnote } = layout;
  // Spreadsheet rows that look like footnotes are data if a data row follows.
  let footnotes: DataRow[] = [];
  for await (const batch of batches) {
    const rows: DataRow[] = [];
    for (const row of batch) {
      const { position, cells } = row;
      const dataRow = { position, cells, problems: validateRowShape(row, layout) };
      if (isFootnote(cells)) {
        footnotes.push(dataRow);
        continue;
      }
      if (footnotes.length > 0) {
        rows.push(...footnotes);
        footnotes = [];
      }
      rows.push(dataRow);
    }
    yield rows;
  }
  const [first] = footnotes;
  if (first) onSkipped(`notes below the data, from ${unit} ${first.position} on`);
}

function validateRowShape({ cells, merged }: CellRow, layout: RowLayout): FieldProblem[] {
  const { unit, width, maxCells, unnamedColumns } = layout;
  const problems: FieldProblem[] = [];
  const isShort = unit === 'line' && cells.length < width;
  // In text, an extra delimiter, such as a decimal comma, shifts all following cells.
  const isLong =
    cells.length > maxCells && (unit === 'line' || cells.slice(maxCells).some(isNonBlank));
  if (isShort || isLong) {
    const rule = `a row of ${width} cells, as the header has; it has ${cells.length}`;
    problems.push({ field: '', value: cells.join(', '), rule });
  }
  for (const index of unnamedColumns) {
    if (!isNonBlank(cells[index])) continue;
    const rule = `blank: column ${index + 1} has no name in the header`;
    problems.push({ field: '', value: cells[index], rule });
  }
  if (merged) {
    const value = merged.join(', ');
    problems.push({ field: '', value, rule: 'unmerged, so that each cell has its own value' });
  }
  return problems;
}

/** The allowed width of rows, and the columns that must be blank. */
interface RowLayout {
  readonly unit: LocationUnit;
  /** Up to the last named column. */
  readonly width: number;
  /** Includes the blank header cells after it. */
  readonly maxCells: number;
  readonly unnamedColumns: readonly number[];
  readonly isFootnote: (cells: RowCells) => boolean;
}

/** Detects footnotes of a spreadsheet: a single cell, or two text cells, that cannot be a key. */
function createFootnoteDetector(
  { fields }: ColumnPlan,
  dataset: Dataset,
  width: number,
): (cells: RowCells) => boolean {
  const { alternateKey } = dataset;
  const keyFields = getKeyFields(dataset);
  // Constants of the mapping say nothing about a row.
  const keys = fields.filter(
    ({ name, readCell }) =>
      (keyFields.includes(name) || name === alternateKey) && !isNonBlank(readCell([])),
  );
  const keyReaders = keys.map(({ field, readCell }) => {
    // Lenient, because a label that only needs an option is an invalid record, not a footnote.
    const convert = createConverter(field, LENIENT_FORMAT);
    const isReadable = (cells: RowCells) => {
      const value = convert(readCell(cells));
      return value !== undefined && !(value instanceof InvalidCell);
    };
    const isSingleWord = (cells: RowCells) => /^\s*\S+\s*$/.test(String(readCell(cells) ?? ''));
    return { isReadable, isSingleWord, isText: field.kind === 'text' };
  });
  const hasKeyThat = (test: (reader: (typeof keyReaders)[number]) => boolean) =>
    alternateKey === undefined ? keyReaders.every(test) : keyReaders.some(test);
  // Reference data may consist of only a key, and notes are rarely a single word.
  const canBeKeyAlone = fields.every(
    ({ name, isOptional }) => isOptional || keyFields.includes(name),
  );
  return (cells) => {
    if (canBeKeyAlone && hasKeyThat(({ isSingleWord }) => isSingleWord(cells))) return false;
    const filled = cells.filter(isNonBlank);
    if (filled.length > 2 || filled.length >= width) return false;
    // Any text can be read as a key of text.
    if (keyReaders.some(({ isText, isReadable }) => !isText && isReadable(cells))) return false;
    if (filled.length === 1) return true;
    const hasKey = keys.length > 0 && hasKeyThat(({ isReadable }) => isReadable(cells));
    return filled.every(isNonNumericText) && !hasKey;
  };
}

const LENIENT_FORMAT = { decimal: '.', periodStyle: 'sbp', dateOrder: 'dmy', blanks: [] } as const;

function isNonNumericText(cell: unknown): boolean {
  return typeof cell === 'string' && !/^[-+(]?[\d.,\s]+%?\)?$/.test(cell.trim());
}

function isNonBlank(cell: unknown): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== '';
}
