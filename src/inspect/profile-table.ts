import type { CellRow } from '../formats/read-contents.ts';
import { findDate } from '../publish/adapter/parse-cells.ts';
import { joinHeaderRows } from '../publish/adapter/table-batches.ts';
import { type CellKind, classifyCell, isTimeKind, isTimePart } from './cell-kinds.ts';
import { findHeaders, type HeaderProfile, toText } from './find-header.ts';
import { isSparse, isTotal, MIN_WIDTH_WITH_HEADINGS } from './other-rows.ts';
import { type ColumnProfile, profileColumn, shorten } from './profile-column.ts';
import type { RowSample } from './sample-rows.ts';

/** The contents of a table: a text file or a sheet. */
export interface TableProfile {
  /** Without the header and everything above it. */
  readonly rowCount: number;
  /** How many of them were examined: the first, and the last unless another table begins earlier. */
  readonly sampledRows: number;
  readonly width: number;
  /** The rows that may name the columns, best first; the first one is used. */
  readonly headers: readonly HeaderProfile[];
  readonly columns: readonly ColumnProfile[];
  /** Periods or days that name columns, by the index of the column. */
  readonly timeColumns: readonly TimeColumn[];
  /** Texts above the header. */
  readonly titles: readonly LocatedText[];
  readonly days: readonly (LocatedText & { readonly day: string })[];
  /** Rows among the data that hold sums. */
  readonly totals: readonly LocatedText[];
  /** Rows among the data with only a name: headings of the rows below. */
  readonly sections: readonly (LocatedText & { readonly column: number })[];
  /** Texts below the data. */
  readonly notes: readonly LocatedText[];
  /** The last row, if another table follows below it. */
  readonly end?: number;
  /** The examined rows, without titles, sums, headings and notes. */
  readonly dataRows: readonly CellRow[];
  /** The different texts of each column in all rows, examined or not, in the order of the file. */
  readonly texts: readonly ReadonlySet<string>[];
  /** Sums, headings and notes. */
  readonly otherRows: readonly CellRow[];
}

export interface LocatedText {
  readonly position: number;
  readonly text: string;
}

export interface TimeColumn {
  readonly index: number;
  readonly kind: CellKind;
  /** The period or day as written. */
  readonly label: string;
  /** The other header rows of the column, such as `Volume`; empty if there is only one. */
  readonly item: string;
}

export function profileTable(sample: RowSample, headerRow?: number): TableProfile {
  const { first, last, rowCount, width } = sample;
  const headers = findHeaders(first, headerRow);
  const { positions = [], names = [] } = headers[0] ?? {};
  const [start = 0, end = start] = [positions[0], positions.at(-1)];
  const below = first.filter(({ position }) => position > end);
  const next = findNextTable(below);
  const isCut = next < below.length;
  const rows = isCut ? below.slice(0, next) : [...below, ...last];
  const { dataRows, ...others } = splitRows(rows, Math.max(names.length, width));
  const titles = first.filter(({ position }) => position < start).flatMap(toLocatedText);
  const headerRows = first.filter(({ position }) => positions.includes(position));
  return {
    rowCount: rowCount - first.filter(({ position }) => position <= end).length,
    sampledRows: rows.length,
    width,
    headers,
    columns: Array.from({ length: width }, (_, index) => {
      const cells = dataRows.map(({ cells }) => cells[index]);
      return profileColumn(names[index] ?? '', index, cells);
    }),
    timeColumns: findTimeColumns(headerRows, width),
    titles,
    days: titles.flatMap(({ text, position }) => {
      const day = findDate(text);
      return day === undefined ? [] : [{ day, position, text }];
    }),
    ...(isCut && { end: below[next - 1]?.position ?? 0 }),
    dataRows,
    texts: listTexts(dataRows, isCut ? undefined : sample),
    ...others,
  };
}

/** With those of rows that were not examined, unless they are of another table. */
function listTexts(dataRows: readonly CellRow[], sample: RowSample | undefined) {
  const [lastRow] = sample?.last ?? [];
  const isFirst = ({ position }: CellRow) => position < (lastRow?.position ?? Infinity);
  const firstRows = dataRows.filter(isFirst);
  const width = Math.max(0, ...firstRows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, index) => {
    const later = sample?.laterTexts[index] ?? [];
    return new Set([...firstRows.map(({ cells }) => toText(cells[index])), ...later]);
  });
}

function splitRows(all: readonly CellRow[], width: number) {
  const lastData = all.findLastIndex((row) => !isSparse(row, width));
  const [rows, notes] = [all.slice(0, lastData + 1), all.slice(lastData + 1)];
  const totals = rows.filter(isTotal);
  const hasHeadings = width >= MIN_WIDTH_WITH_HEADINGS;
  const sections = rows.filter((row) => hasHeadings && !isTotal(row) && isSparse(row, width));
  return {
    dataRows: rows.filter((row) => !totals.includes(row) && !sections.includes(row)),
    otherRows: [...totals, ...sections, ...notes].toSorted((a, b) => a.position - b.position),
    totals: totals.flatMap(toLocatedText),
    sections: sections.filter((row) => countFilled(row) > 0).map(locateName),
    notes: notes.flatMap(toLocatedText),
  };
}

/** The first text of a row, and its column. */
function locateName({ position, cells }: CellRow) {
  const column = cells.findIndex((cell) => toText(cell) !== '');
  return { position, column, text: toText(cells[column]) };
}

function toLocatedText({ position, cells }: CellRow): LocatedText[] {
  // All cells of a merged range have its text.
  const texts = cells.map(toText).filter((text, index, all) => text !== all[index - 1]);
  const text = texts.filter((cell) => cell !== '').join(' ');
  return text === ''
    ? []
    : [{ position, text: text.length > 160 ? `${text.slice(0, 159)}…` : text }];
}

/** At least two, because a single one may be an ordinary column title. */
function findTimeColumns(headerRows: readonly CellRow[], width: number): TimeColumn[] {
  const filledRows = headerRows.map((row, index) => {
    const isLast = index === headerRows.length - 1;
    return isLast
      ? row.cells.map(toText)
      : joinHeaderRows([row, { position: 0, cells: Array(width).fill(null) }]);
  });
  const columns = Array.from({ length: width }, (_, index): TimeColumn[] => {
    const cells = filledRows.map((cells) => cells[index] ?? '');
    const rows = cells.flatMap((text, row) => (isTimePart(text) ? [row] : []));
    const label = rows.map((row) => cells[row]).join(' ');
    const { kind } = classifyCell(label);
    if (rows.length === 0 || !isTimeKind(kind)) return [];
    const item = cells.filter((text, row) => !rows.includes(row) && text !== '').join(' ');
    return [{ index, kind, label: shorten(label), item }];
  }).flat();
  return columns.length > 1 ? columns : [];
}

/**
 * The index of the first row of another table below the header: names above mostly figures, after a blank row
 * or a title. The length if there is none.
 */
function findNextTable(rows: readonly CellRow[]): number {
  const above = { rowCount: 0, figures: new Map<number, number>() };
  for (const [index, row] of rows.slice(0, -1).entries()) {
    const before = rows[index - 1] ?? row;
    const isAfterTitle = countFilled(before) === 1;
    const mayBegin = index > 1 && (isAfterTitle || row.position - before.position > 1);
    if (mayBegin && isHeaderBelowFigures(row, above)) return isAfterTitle ? index - 1 : index;
    if (countFilled(row) < 2) continue;
    above.rowCount += 1;
    for (const [column, cell] of row.cells.entries())
      if (['number', 'percent'].includes(classifyCell(cell).kind))
        above.figures.set(column, (above.figures.get(column) ?? 0) + 1);
  }
  return rows.length;
}

const countFilled = ({ cells }: CellRow) => cells.filter((cell) => toText(cell) !== '').length;

/** Whether a row has names alone, most of them below columns that mostly have figures. */
function isHeaderBelowFigures(
  { cells }: CellRow,
  { rowCount, figures }: { rowCount: number; figures: ReadonlyMap<number, number> },
): boolean {
  const filled = cells.flatMap((cell, column) => (toText(cell) === '' ? [] : [column]));
  if (filled.length < 2 || filled.some((column) => classifyCell(cells[column]).kind !== 'text'))
    return false;
  const below = filled.filter((column) => (figures.get(column) ?? 0) > rowCount / 2);
  return below.length >= filled.length / 2;
}
