import type { CellRow, CellTable } from '../../formats/read-contents.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import { findHeader, getColumnNames, HEADER_SEARCH_ROWS } from './find-header.ts';
import { createFootnoteDetector, isNonBlank } from './footnotes.ts';

/** A row of data under a header, with what is wrong with the row as a whole. */
export interface DataRow {
  readonly at: number;
  readonly cells: RowCells;
  readonly problems: readonly FieldProblem[];
}

export interface TableWithHeader {
  readonly plan: ColumnPlan;
  readonly rows: AsyncIterable<readonly DataRow[]>;
}

export interface ReadTableOptions {
  /** The fields that tell records apart. */
  readonly keys: readonly string[];
  /** The row that names the columns; looked for where absent. */
  readonly headerRow?: number | undefined;
  /** Told of rows that are no data: titles above the header, notes below the data. */
  readonly onSkipped: (what: string) => void;
}

/** Finds the header of a table, and gives the rows below it. */
export async function readTable(
  table: CellTable,
  makePlan: (columns: readonly string[]) => ColumnPlan,
  options: ReadTableOptions,
): Promise<TableWithHeader> {
  const batches = table.rows[Symbol.asyncIterator]();
  const ahead: CellRow[] = [];
  let isWhole = false;
  const last = options.headerRow ?? 0;
  while (ahead.length < HEADER_SEARCH_ROWS || (ahead.at(-1)?.position ?? 0) < last) {
    const next = await batches.next();
    isWhole = next.done === true;
    if (isWhole) break;
    ahead.push(...(next.value as readonly CellRow[]));
  }
  const { place, plan } = findHeader(ahead, makePlan, table.locationUnit, options.headerRow);
  if (place > 0) {
    const [first, header] = [ahead[0]?.position, ahead[place]?.position];
    options.onSkipped(
      `${table.locationUnit} ${first} to the header in ${table.locationUnit} ${header}`,
    );
  }
  const names = getColumnNames(ahead[place] as CellRow);
  const width = names.findLastIndex((name) => name !== '') + 1;
  const isNote = createFootnoteDetector(plan, options.keys, width);
  const layout = {
    width,
    maxCells: names.length,
    unnamed: plan.unnamedColumns,
    isFootnote: isNote,
  };
  return {
    plan,
    rows: readRowsBelowHeader(
      table,
      ahead.slice(place + 1),
      isWhole ? undefined : batches,
      layout,
      options,
    ),
  };
}

async function* readRowsBelowHeader(
  { locationUnit: word }: CellTable,
  ahead: readonly CellRow[],
  rest: AsyncIterator<readonly CellRow[]> | undefined,
  layout: RowLayout,
  { onSkipped }: ReadTableOptions,
): AsyncGenerator<readonly DataRow[]> {
  // In a spreadsheet, rows that may be notes are notes if nothing but notes follows them.
  let notes: DataRow[] = [];
  const dataOf = (rows: readonly CellRow[]): DataRow[] => {
    const data: DataRow[] = [];
    for (const row of rows) {
      const made = {
        at: row.position,
        cells: row.cells,
        problems: validateRowShape(row, layout, word),
      };
      if (word === 'row' && layout.isFootnote(row.cells)) {
        notes.push(made);
        continue;
      }
      if (notes.length > 0) {
        data.push(...notes);
        notes = [];
      }
      data.push(made);
    }
    return data;
  };
  yield dataOf(ahead);
  while (rest) {
    const next = await rest.next();
    if (next.done) break;
    yield dataOf(next.value);
  }
  const [first] = notes;
  if (first) onSkipped(`notes below the data, from ${word} ${first.at} on`);
}

function validateRowShape(
  { cells, merged }: CellRow,
  layout: RowLayout,
  word: string,
): FieldProblem[] {
  const { width, maxCells, unnamed } = layout;
  const problems: FieldProblem[] = [];
  const isShort = word === 'line' && cells.length < width;
  // In text one delimiter too many, such as a decimal comma, shifts all cells behind it.
  const isLong =
    cells.length > maxCells && (word === 'line' || cells.slice(maxCells).some(isNonBlank));
  if (isShort || isLong) {
    const rule = `a row of ${width} cells, as the header has; it has ${cells.length}`;
    problems.push({ field: '', value: cells.join(', '), rule });
  }
  for (const place of unnamed) {
    if (!isNonBlank(cells[place])) continue;
    const rule = `blank: column ${place + 1} has no name in the header`;
    problems.push({ field: '', value: cells[place], rule });
  }
  if (merged) {
    const value = merged.join(', ');
    problems.push({ field: '', value, rule: 'unmerged, so that each cell has its own value' });
  }
  return problems;
}

/** How wide a row may be, and where it must be blank. */
interface RowLayout {
  /** As far as columns have names. */
  readonly width: number;
  /** With the blank cells behind them. */
  readonly maxCells: number;
  readonly unnamed: readonly number[];
  readonly isFootnote: (cells: RowCells) => boolean;
}
