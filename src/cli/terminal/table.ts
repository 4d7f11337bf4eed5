import { greatest } from './extremes.ts';
import type { Look } from './look.ts';
import { recordLines } from './records.ts';
import { filledLines, padded, visible, widthOf, wrapped } from './text.ts';

/** A column of a table for people. */
export interface Column {
  readonly name: string;
  readonly unit?: string;
  /** Figures stand on the right, numbers with their decimal points below one another. */
  readonly isFigure?: boolean;
  /** Whether it tells the rows apart: it is repeated where a table is too wide for one block. */
  readonly isKey?: boolean;
}

export type Cell = string | number | boolean | null;

const BETWEEN = '  ';
const ABSENT = '–';

/**
 * The lines of a table that fits the width, with nothing left out. Where there is no room for all
 * columns, headings are broken into lines; what still does not fit goes below in a block of its
 * own, behind the keys; and where even one column does not fit beside the keys, or there is but one
 * row, each row becomes a list of names and values.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  look: Look,
): string[] {
  const filled = columns.map((column, at) =>
    fill(
      column,
      rows.map((row) => row[at] ?? null),
    ),
  );
  const loose = blocksOf(filled.map(loosely), look.width);
  const tight = loose.length > 1 ? blocksOf(filled.map(tightly), look.width) : loose;
  const blocks = tight.length < loose.length ? tight : loose;
  const isTooWide = blocks.some((block) => blockWidth(block) > look.width);
  if (isTooWide || (rows.length === 1 && blocks.length > 1)) {
    return recordLines(
      rows.map((_, at) =>
        filled.map(({ cells, ...column }) => ({ ...column, value: (cells[at] ?? '').trim() })),
      ),
      look,
    );
  }
  return blocks.flatMap((block, at) => [...(at > 0 ? [''] : []), ...blockLines(block, look)]);
}

/** A cell as it is shown: numbers with the digits that they have in answers. */
export function cellText(cell: Cell): string {
  if (cell === null) return ABSENT;
  return typeof cell === 'number' ? JSON.stringify(cell) : visible(String(cell));
}

/** A column with its texts. */
interface Filled extends Required<Column> {
  readonly cells: readonly string[];
  /** That of the widest cell. */
  readonly cellWidth: number;
}

function fill(
  { name, unit = '', isFigure = false, isKey = false }: Column,
  values: readonly Cell[],
): Filled {
  const texts = values.map(cellText);
  const cells =
    isFigure && values.some((value) => typeof value === 'number')
      ? pointsBelowPoints(texts)
      : texts;
  const cellWidth = greatest([0, ...cells.map(widthOf)]);
  return { name: visible(name), unit: visible(unit), isFigure, isKey, cells, cellWidth };
}

/** Figures with space behind them, so that their decimal points meet when they end together. */
function pointsBelowPoints(texts: readonly string[]): string[] {
  const behind = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') : 0);
  const most = greatest(texts.map(behind));
  return texts.map((text) => text + ' '.repeat(most - behind(text)));
}

/** A column whose place on the page is known. */
interface LaidOut extends Filled {
  readonly nameLines: readonly string[];
  readonly unitLines: readonly string[];
  readonly width: number;
}

/** A unit is broken into lines rather than making its column wider than this. */
const UNIT_WIDTH = 10;

function loosely(column: Filled): LaidOut {
  return layOut(column, [column.name], UNIT_WIDTH);
}

/** Names are broken behind spaces, points and underlines, and before a capital within a word. */
function tightly(column: Filled): LaidOut {
  const parts = column.name.split(/(?<=[ ._])(?=.)|(?<=\p{Ll})(?=\p{Lu})/u);
  const room = greatest([column.cellWidth, ...parts.map((part) => widthOf(part.trimEnd()))]);
  const lines = filledLines(parts, '', room).map((line) => line.trimEnd());
  return layOut(column, lines, 0);
}

function layOut(column: Filled, nameLines: readonly string[], unitWidth: number): LaidOut {
  const own = greatest([column.cellWidth, ...nameLines.map(widthOf)]);
  const unitLines = wrapped(column.unit, Math.max(own, unitWidth));
  return { ...column, nameLines, unitLines, width: greatest([own, ...unitLines.map(widthOf)]) };
}

/** The columns in blocks, each as full as it can be; a column that fits nowhere has its own. */
function blocksOf(columns: readonly LaidOut[], width: number): LaidOut[][] {
  const keys = columns.filter(({ isKey }) => isKey);
  const blocks: LaidOut[][] = [];
  for (const column of columns.filter(({ isKey }) => !isKey)) {
    const block = blocks.at(-1);
    if (block && blockWidth([...block, column]) <= width) block.push(column);
    else blocks.push([...keys, column]);
  }
  return blocks.length > 0 ? blocks : [keys];
}

function blockWidth(columns: readonly LaidOut[]): number {
  return columns.reduce((sum, { width }) => sum + width + BETWEEN.length, -BETWEEN.length);
}

function blockLines(columns: readonly LaidOut[], { bold, dim }: Look): string[] {
  const line = (texts: readonly string[]) =>
    columns
      .map(({ width, isFigure }, at) => padded(texts[at] ?? '', width, isFigure ? 'left' : 'right'))
      .join(BETWEEN)
      .trimEnd();
  const lines = (all: readonly (readonly string[])[]) =>
    Array.from({ length: all[0]?.length ?? 0 }, (_, at) => line(all.map((each) => each[at] ?? '')));
  const names = evened(
    columns.map(({ nameLines }) => nameLines),
    'before',
  );
  const units = columns.some(({ unit }) => unit)
    ? evened(
        columns.map(({ unitLines }) => unitLines),
        'behind',
      )
    : [];
  return [
    ...lines(names).map(bold),
    ...lines(units).map(dim),
    dim(line(columns.map(({ width }) => '─'.repeat(width)))),
    ...lines(columns.map(({ cells }) => cells)),
  ];
}

/** Lists made equally long by blank lines before or behind them. */
function evened(lists: readonly (readonly string[])[], side: 'before' | 'behind'): string[][] {
  const depth = greatest(lists.map(({ length }) => length));
  return lists.map((list) => {
    const blanks = Array<string>(depth - list.length).fill('');
    return side === 'before' ? [...blanks, ...list] : [...list, ...blanks];
  });
}
