import type { CellRow, FileCell } from '../formats/read-contents.ts';
import { joinHeaderRows } from '../publish/adapter/table-batches.ts';
import { type CellKind, classifyCell, isTimeKind, isTimePart } from './cell-kinds.ts';

/** A row that may name the columns, or several consecutive rows that do so together. */
export interface HeaderProfile {
  readonly positions: readonly number[];
  readonly names: readonly string[];
}

const SEARCHED_ROWS = 60;
const ROWS_BELOW = 25;
const MIN_SCORE = 0.45;
/** Candidates that score further below the best than this are no alternatives. */
const MAX_DISTANCE = 0.25;
const MAX_CANDIDATES = 3;
const MAX_HEADER_ROWS = 3;

/** The likeliest headers, best first, or the requested one; none if no row may be a header. */
export function findHeaders(sample: readonly CellRow[], asked?: number): readonly HeaderProfile[] {
  const rowsAsked = sample.filter(({ position }) => position === asked);
  if (asked !== undefined)
    return rowsAsked.map((row) => ({ positions: [asked], names: joinHeaderRows([row]) }));
  const rows = sample.slice(0, SEARCHED_ROWS + ROWS_BELOW).map(classifyRow);
  const scored = rows
    .slice(0, SEARCHED_ROWS)
    .map((_, index) => ({ index, score: scoreHeader(rows, index) }));
  const max = Math.max(MIN_SCORE + MAX_DISTANCE, ...scored.map(({ score }) => score));
  const candidates = scored
    .filter(({ score }) => score >= max - MAX_DISTANCE)
    .toSorted((a, b) => b.score - a.score)
    .map(({ index, score }) => ({ header: extendHeader(rows, index), score }));
  // Rows of one header are one candidate.
  const distinct = Map.groupBy(candidates, ({ header: [first] }) => first).values();
  return [...distinct].slice(0, MAX_CANDIDATES).flatMap(([best]) => {
    if (!best) return [];
    const positions = best.header.map(({ position }) => position);
    return [{ positions, names: joinHeaderRows(best.header) }];
  });
}

interface ClassifiedRow extends CellRow {
  readonly kinds: readonly CellKind[];
  /** The indexes of cells that are not blank. */
  readonly filled: readonly number[];
  /** Whether most of them hold the same text, like a merged title. */
  readonly isTitle: boolean;
  /** Whether all of these may name columns; periods and days may do so in wide tables. */
  readonly hasLabelsOnly: boolean;
}

function classifyRow({ position, cells }: CellRow): ClassifiedRow {
  const kinds = cells.map((cell) => classifyCell(cell).kind);
  const filled = kinds.flatMap((kind, column) => (isFilled(kind) ? [column] : []));
  const texts = Map.groupBy(filled, (column) => toText(cells[column])).entries();
  const isTitle = texts.some(
    ([text, same]) => same.length > Math.max(2, filled.length / 2) && !isTimePart(text),
  );
  const hasLabelsOnly = !isTitle && filled.every((column) => isLabel(kinds[column]));
  return { position, cells, kinds, filled, isTitle, hasLabelsOnly };
}

const isLabel = (kind: CellKind | undefined) => kind === 'text' || isTimeKind(kind);
const isFilled = (kind: CellKind | undefined) => kind !== undefined && kind !== 'blank';

function scoreHeader(rows: readonly ClassifiedRow[], index: number): number {
  const { kinds, filled, isTitle } = rows[index] as ClassifiedRow;
  const next = rows.slice(index + 1, index + 1 + ROWS_BELOW);
  if (filled.length === 0 || next.length === 0) return 0;
  if (isTitle || kinds.filter(isLabel).length < filled.length * 0.8) return 0;
  // A row of data begins with its period; a header names that column, or leaves it blank.
  if (isTimeKind(kinds.find(isFilled)) && !isTimeKind(kinds[1] ?? 'text')) return 0;
  const width = Math.max(kinds.length, ...next.map((row) => row.kinds.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    name: kinds[column],
    cells: next.map((row) => row.kinds[column]).filter(isFilled) as CellKind[],
  }));
  const used = columns.filter(({ cells }) => cells.length >= next.length * 0.3);
  if (used.length === 0) return 0;
  const named = used.filter(({ name }) => isFilled(name));
  const contrasting = named.filter(({ name, cells }) => isContrast(name as CellKind, cells));
  const coverage = named.length / used.length;
  const contrast = named.length === 0 ? 0 : contrasting.length / named.length;
  const isNarrow = filled.length === 1 && used.length > 1;
  return Math.max(0, coverage * 0.6 + contrast * 0.4 - index * 0.004 - (isNarrow ? 0.3 : 0));
}

/** Whether most cells differ in kind from the name above them. */
function isContrast(name: CellKind, cells: readonly CellKind[]): boolean {
  const isOther = (kind: CellKind) => kind !== 'text' && !(isTimeKind(name) && isTimeKind(kind));
  return cells.filter(isOther).length > cells.length * 0.6;
}

/** Adds rows above and below that also name columns: groups above, units below. */
function extendHeader(rows: readonly ClassifiedRow[], index: number): readonly ClassifiedRow[] {
  let [first, last] = [index, index];
  const canGrow = () => last - first + 1 < MAX_HEADER_ROWS;
  while (canGrow() && isGroupRow(rows[first - 1], rows[first] as ClassifiedRow)) first--;
  while (canGrow() && isSubheader(rows[last + 1], rows.slice(last + 2, last + 2 + ROWS_BELOW)))
    last++;
  return rows.slice(first, last + 1);
}

/** Only labels, and not only in the first column, like a title. */
function isGroupRow(row: ClassifiedRow | undefined, below: ClassifiedRow): boolean {
  if (!row?.hasLabelsOnly || below.position - row.position > 1) return false;
  const { cells, filled } = row;
  const hasLongText = cells.some((cell) => String(cell ?? '').length > 60);
  const isTitle = filled.length < 2 && (filled[0] ?? 0) < 2;
  return filled.length > 0 && !isTitle && !hasLongText && isNeededAbove(row, below);
}

/** Whether the names below are not sufficient: some repeat or are blank, or periods are above. */
function isNeededAbove(upper: ClassifiedRow, lower: ClassifiedRow): boolean {
  const names = lower.cells.map(toText).filter((text) => text !== '');
  const isRepeated = new Set(names).size < names.length;
  const hasTimes = upper.kinds.filter(isTimeKind).length > 1;
  return (
    isRepeated || hasTimes || upper.filled.some((column) => toText(lower.cells[column]) === '')
  );
}

/** Only labels above columns of figures, where a data row would have figures. */
function isSubheader(row: ClassifiedRow | undefined, next: readonly ClassifiedRow[]): boolean {
  if (!row?.hasLabelsOnly || row.filled.length < 2 || next.length === 0) return false;
  const isFigure = (kind: CellKind | undefined) => kind === 'number' || kind === 'percent';
  const above = row.filled.filter(
    (column) => next.filter(({ kinds }) => isFigure(kinds[column])).length > next.length * 0.5,
  );
  return above.length >= 2 && above.length >= row.filled.length * 0.6;
}

export const toText = (cell: FileCell | undefined): string => String(cell ?? '').trim();
