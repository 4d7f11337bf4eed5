import { escapeControls } from '../../shared/control-characters.ts';
import { countDecimals } from '../../shared/count-decimals.ts';
import { maxOf } from './max-of.ts';
import type { TerminalStyle } from './terminal-style.ts';
import { displayWidth, fillLines, padText, wrapText } from './text.ts';

export interface TerminalColumn {
  readonly name: string;
  readonly unit?: string;
  /** How many decimals numbers have at least; others are as in JSON. */
  readonly decimals?: number;
  /** Numbers are right-aligned at their decimal points. */
  readonly isNumeric?: boolean;
  /** Key columns are repeated in each block of a table that is too wide for a single one. */
  readonly isKey?: boolean;
}

export type TerminalCell = string | number | boolean | null;

const COLUMN_GAP = '  ';
const MISSING_VALUE = '–';

/**
 * The lines of a table that fits the width, with nothing omitted. If it is too wide, headings are wrapped;
 * columns that still do not fit go into further blocks below, after the keys. If a column does not fit beside
 * the keys, or there is only one row, each row becomes a list of values.
 */
export function formatTable(
  columns: readonly TerminalColumn[],
  rows: readonly (readonly TerminalCell[])[],
  style: TerminalStyle,
): string[] {
  const filled = columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    return fillColumn(column, values);
  });
  const unwrapped = splitIntoBlocks(
    filled.map((column) => layOutColumn(column, [column.name], MAX_UNIT_WIDTH)),
    style.width,
  );
  const wrapped =
    unwrapped.length > 1 ? splitIntoBlocks(filled.map(layOutWrapped), style.width) : unwrapped;
  const blocks = wrapped.length < unwrapped.length ? wrapped : unwrapped;
  const isTooWide = blocks.some((block) => getBlockWidth(block) > style.width);
  if (isTooWide || (rows.length === 1 && blocks.length > 1)) {
    return formatRecordList(
      rows.map((_, index) =>
        filled.map(({ cells, ...column }) => ({ ...column, value: (cells[index] ?? '').trim() })),
      ),
      style,
    );
  }
  return blocks.flatMap((block, index) => [
    ...(index > 0 ? [''] : []),
    ...formatBlock(block, style),
  ]);
}

/** The text of a cell; numbers have the same digits as in JSON. */
export function formatCell(cell: TerminalCell): string {
  if (cell === null) return MISSING_VALUE;
  return typeof cell === 'number' ? JSON.stringify(cell) : escapeControls(String(cell));
}

interface FilledColumn extends Required<Omit<TerminalColumn, 'decimals'>> {
  readonly cells: readonly string[];
  readonly cellWidth: number;
}

function fillColumn(
  { name, unit = '', decimals = 0, isNumeric = false, isKey = false }: TerminalColumn,
  values: readonly TerminalCell[],
): FilledColumn {
  const texts = values.map((value) =>
    typeof value === 'number' && countDecimals(value, decimals) < decimals
      ? value.toFixed(decimals)
      : formatCell(value),
  );
  const hasNumbers = isNumeric && values.some((value) => typeof value === 'number');
  const cells = hasNumbers ? alignDecimalPoints(texts) : texts;
  const cellWidth = maxOf([0, ...cells.map(displayWidth)]);
  const escaped = { name: escapeControls(name), unit: escapeControls(unit) };
  return { ...escaped, isNumeric, isKey, cells, cellWidth };
}

/** Pads numbers on the right, so that the decimal points of right-aligned numbers line up. */
function alignDecimalPoints(texts: readonly string[]): string[] {
  const countDecimals = (text: string) =>
    text.includes('.') ? text.length - text.indexOf('.') : 0;
  const max = maxOf(texts.map(countDecimals));
  return texts.map((text) => text + ' '.repeat(max - countDecimals(text)));
}

/** A column with the lines of its heading, and its width. */
interface LaidOutColumn extends FilledColumn {
  readonly nameLines: readonly string[];
  readonly unitLines: readonly string[];
  readonly width: number;
}

/** Units that would make their column wider than this are wrapped. */
const MAX_UNIT_WIDTH = 10;

/** Wraps a name after spaces, points and underscores, and before capitals within a word. */
function layOutWrapped(column: FilledColumn): LaidOutColumn {
  const parts = column.name.split(/(?<=[ ._])(?=.)|(?<=\p{Ll})(?=\p{Lu})/u);
  const width = maxOf([column.cellWidth, ...parts.map((part) => displayWidth(part.trimEnd()))]);
  const lines = fillLines(parts, '', width).map((line) => line.trimEnd());
  return layOutColumn(column, lines, 0);
}

function layOutColumn(column: FilledColumn, nameLines: readonly string[], unitWidth: number) {
  const minWidth = maxOf([column.cellWidth, ...nameLines.map(displayWidth)]);
  const unitLines = wrapText(column.unit, Math.max(minWidth, unitWidth));
  const width = maxOf([minWidth, ...unitLines.map(displayWidth)]);
  return { ...column, nameLines, unitLines, width };
}

/** Divides the columns into blocks of the width; a wider column gets its own block. */
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
  const formatLine = (texts: readonly string[]) =>
    columns
      .map(({ width, isNumeric }, index) =>
        padText(texts[index] ?? '', width, isNumeric ? 'left' : 'right'),
      )
      .join(COLUMN_GAP)
      .trimEnd();
  const formatLines = (texts: readonly (readonly string[])[]) =>
    Array.from({ length: maxOf(texts.map(({ length }) => length)) }, (_, index) =>
      formatLine(texts.map((column) => column[index] ?? '')),
    );
  const nameDepth = maxOf(columns.map(({ nameLines }) => nameLines.length));
  // Names are aligned at the bottom, units at the top.
  const names = columns.map(({ nameLines }) => [
    ...Array<string>(nameDepth - nameLines.length).fill(''),
    ...nameLines,
  ]);
  const hasUnits = columns.some(({ unit }) => unit);
  return [
    ...formatLines(names).map(bold),
    ...(hasUnits ? formatLines(columns.map(({ unitLines }) => unitLines)).map(dim) : []),
    dim(formatLine(columns.map(({ width }) => '─'.repeat(width)))),
    ...formatLines(columns.map(({ cells }) => cells)),
  ];
}

/**
 * Records as lists of names and values without control characters, separated by blank lines; long
 * values are wrapped.
 */
export function formatRecordList(
  records: readonly (readonly { name: string; value: string; unit?: string }[])[],
  { width, bold, dim }: TerminalStyle,
): string[] {
  const nameWidth = maxOf(records.flat().map(({ name }) => displayWidth(name)));
  const valueWidth = Math.max(MIN_VALUE_WIDTH, width - nameWidth - COLUMN_GAP.length);
  return records.flatMap((record, index) => [
    ...(index > 0 ? [''] : []),
    ...record.flatMap(({ name, value, unit = '' }) => {
      const lines = wrapText(value, valueWidth);
      const last = lines.pop() ?? '';
      const fits = displayWidth(last + COLUMN_GAP + unit) <= valueWidth;
      const ending = unit && fits ? [`${last}${COLUMN_GAP}${dim(unit)}`] : [last, dim(unit)];
      return [...lines, ...ending.filter((line, index) => index === 0 || line)].map(
        (line, index) => {
          const label = index === 0 ? bold(name) : '';
          return (padText(label, nameWidth) + COLUMN_GAP + line).trimEnd();
        },
      );
    }),
  ]);
}

/** The minimum width of values; if long names leave less, lines exceed the terminal. */
const MIN_VALUE_WIDTH = 20;
