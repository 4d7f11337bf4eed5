import { maxOf } from './min-max.ts';
import { formatRecordList } from './record-list.ts';
import type { TerminalStyle } from './terminal-style.ts';
import { displayWidth, escapeControls, fillLines, padText, wrapText } from './text.ts';

/** A column of a table for people. */
export interface TerminalColumn {
  readonly name: string;
  readonly unit?: string;
  /** Figures stand on the right, numbers with their decimal points below one another. */
  readonly isNumeric?: boolean;
  /** Whether it tells the rows apart: it is repeated where a table is too wide for one block. */
  readonly isKey?: boolean;
}

export type TerminalCell = string | number | boolean | null;

const COLUMN_GAP = '  ';
const MISSING_VALUE = '–';

/**
 * The lines of a table that fits the width, with nothing left out. Where there is no room for all
 * columns, headings are broken into lines; what still does not fit goes below in a block of its
 * own, behind the keys; and where even one column does not fit beside the keys, or there is but one
 * row, each row becomes a list of names and values.
 */
export function formatTable(
  columns: readonly TerminalColumn[],
  rows: readonly (readonly TerminalCell[])[],
  style: TerminalStyle,
): string[] {
  const filled = columns.map((column, index) =>
    fillColumn(
      column,
      rows.map((row) => row[index] ?? null),
    ),
  );
  const loose = splitIntoBlocks(filled.map(layOutLoosely), style.width);
  const tight = loose.length > 1 ? splitIntoBlocks(filled.map(layOutTightly), style.width) : loose;
  const blocks = tight.length < loose.length ? tight : loose;
  const isTooWide = blocks.some((block) => getBlockWidth(block) > style.width);
  if (isTooWide || (rows.length === 1 && blocks.length > 1)) {
    return formatRecordList(
      rows.map((_, at) =>
        filled.map(({ cells, ...column }) => ({ ...column, value: (cells[at] ?? '').trim() })),
      ),
      style,
    );
  }
  return blocks.flatMap((block, at) => [...(at > 0 ? [''] : []), ...formatBlock(block, style)]);
}

/** A cell as it is shown: numbers with the digits that they have in answers. */
export function formatCell(cell: TerminalCell): string {
  if (cell === null) return MISSING_VALUE;
  return typeof cell === 'number' ? JSON.stringify(cell) : escapeControls(String(cell));
}

/** A column with its texts. */
interface FilledColumn extends Required<TerminalColumn> {
  readonly cells: readonly string[];
  /** That of the widest cell. */
  readonly cellWidth: number;
}

function fillColumn(
  { name, unit = '', isNumeric = false, isKey = false }: TerminalColumn,
  values: readonly TerminalCell[],
): FilledColumn {
  const texts = values.map(formatCell);
  const cells =
    isNumeric && values.some((value) => typeof value === 'number')
      ? alignDecimalPoints(texts)
      : texts;
  const cellWidth = maxOf([0, ...cells.map(displayWidth)]);
  return {
    name: escapeControls(name),
    unit: escapeControls(unit),
    isNumeric,
    isKey,
    cells,
    cellWidth,
  };
}

/** Figures with space behind them, so that their decimal points meet when they end together. */
function alignDecimalPoints(texts: readonly string[]): string[] {
  const behind = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') : 0);
  const max = maxOf(texts.map(behind));
  return texts.map((text) => text + ' '.repeat(max - behind(text)));
}

/** A column whose place on the page is known. */
interface LaidOutColumn extends FilledColumn {
  readonly nameLines: readonly string[];
  readonly unitLines: readonly string[];
  readonly width: number;
}

/** A unit is broken into lines rather than making its column wider than this. */
const MAX_UNIT_WIDTH = 10;

function layOutLoosely(column: FilledColumn): LaidOutColumn {
  return layOutColumn(column, [column.name], MAX_UNIT_WIDTH);
}

/** Names are broken behind spaces, points and underlines, and before a capital within a word. */
function layOutTightly(column: FilledColumn): LaidOutColumn {
  const parts = column.name.split(/(?<=[ ._])(?=.)|(?<=\p{Ll})(?=\p{Lu})/u);
  const room = maxOf([column.cellWidth, ...parts.map((part) => displayWidth(part.trimEnd()))]);
  const lines = fillLines(parts, '', room).map((line) => line.trimEnd());
  return layOutColumn(column, lines, 0);
}

function layOutColumn(
  column: FilledColumn,
  nameLines: readonly string[],
  unitWidth: number,
): LaidOutColumn {
  const own = maxOf([column.cellWidth, ...nameLines.map(displayWidth)]);
  const unitLines = wrapText(column.unit, Math.max(own, unitWidth));
  return { ...column, nameLines, unitLines, width: maxOf([own, ...unitLines.map(displayWidth)]) };
}

/** The columns in blocks, each as full as it can be; a column that fits nowhere has its own. */
function splitIntoBlocks(columns: readonly LaidOutColumn[], width: number): LaidOutColumn[][] {
  const keys = columns.filter(({ isKey }) => isKey);
  const blocks: LaidOutColumn[][] = [];
  for (const column of columns.filter(({ isKey }) => !isKey)) {
    const block = blocks.at(-1);
    if (block && getBlockWidth([...block, column]) <= width) block.push(column);
    else blocks.push([...keys, column]);
  }
  return blocks.length > 0 ? blocks : [keys];
}

function getBlockWidth(columns: readonly LaidOutColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width + COLUMN_GAP.length, -COLUMN_GAP.length);
}

function formatBlock(columns: readonly LaidOutColumn[], { bold, dim }: TerminalStyle): string[] {
  const line = (texts: readonly string[]) =>
    columns
      .map(({ width, isNumeric }, index) =>
        padText(texts[index] ?? '', width, isNumeric ? 'left' : 'right'),
      )
      .join(COLUMN_GAP)
      .trimEnd();
  const lines = (all: readonly (readonly string[])[]) =>
    Array.from({ length: all[0]?.length ?? 0 }, (_, at) => line(all.map((each) => each[at] ?? '')));
  const names = padToSameLength(
    columns.map(({ nameLines }) => nameLines),
    'before',
  );
  const units = columns.some(({ unit }) => unit)
    ? padToSameLength(
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
function padToSameLength(
  lists: readonly (readonly string[])[],
  side: 'before' | 'behind',
): string[][] {
  const depth = maxOf(lists.map(({ length }) => length));
  return lists.map((list) => {
    const blanks = Array<string>(depth - list.length).fill('');
    return side === 'before' ? [...blanks, ...list] : [...list, ...blanks];
  });
}
