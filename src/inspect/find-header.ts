import type { CellRow, FileCell } from '../formats/read-contents.ts';
import { type CellKind, classifyCell } from './cell-kinds.ts';

/** A row that may name the columns, or several rows that do so together. */
export interface HeaderCandidate {
  /** Indexes into the sampled rows, one below the other. */
  readonly rows: readonly number[];
  /** From 0 to 1. */
  readonly score: number;
}

const SEARCHED_ROWS = 60;
const ROWS_BELOW = 25;
const MIN_SCORE = 0.45;
/** A candidate that scores less than the best by more than this is no alternative. */
const MAX_DISTANCE = 0.25;
const MAX_CANDIDATES = 3;
const MAX_HEADER_ROWS = 3;

/** The likeliest headers, best first; none where no row looks like one. */
export function findHeaders(rows: readonly CellRow[]): readonly HeaderCandidate[] {
  const kindsByRow = rows.slice(0, SEARCHED_ROWS + ROWS_BELOW).map(classifyRow);
  const scored = kindsByRow.slice(0, SEARCHED_ROWS).map((kinds, index) => ({
    index,
    score: scoreHeader(kinds, kindsByRow.slice(index + 1), index),
  }));
  const best = scored.filter(({ score }) => score >= MIN_SCORE);
  const candidates = best
    .toSorted((a, b) => b.score - a.score)
    .map(({ index, score }) => ({
      rows: extendHeader(rows, kindsByRow, index),
      score: round(score),
    }));
  // Rows of one header are one candidate.
  const distinct = candidates.filter(
    ({ rows: [first] }, index) =>
      candidates.findIndex(({ rows: [other] }) => other === first) === index,
  );
  const [first] = distinct;
  const isNear = ({ score }: HeaderCandidate) => score >= (first?.score ?? 0) - MAX_DISTANCE;
  return distinct.filter(isNear).slice(0, MAX_CANDIDATES);
}

const round = (score: number) => Math.round(score * 100) / 100;

type RowKinds = readonly CellKind[];

const classifyRow = ({ cells }: CellRow): RowKinds => cells.map((cell) => classifyCell(cell).kind);

/** A name of a column; periods and days may be names, where they are across the columns. */
const isLabel = (kind: CellKind) => kind === 'text' || isTime(kind);
const isTime = (kind: CellKind) =>
  kind === 'year' || kind === 'quarter' || kind === 'month' || kind === 'day';
const isFilled = (kind: CellKind | undefined) => kind !== undefined && kind !== 'blank';

function scoreHeader(kinds: RowKinds, below: readonly RowKinds[], index: number): number {
  const filled = kinds.filter(isFilled);
  if (filled.length === 0 || below.length === 0) return 0;
  if (filled.filter(isLabel).length < filled.length * 0.8) return 0;
  // A row of data begins with its period; a header names that column, or leaves it blank.
  if (isTime(kinds.find(isFilled) ?? 'text') && !isTime(kinds[1] ?? 'text')) return 0;
  const next = below.slice(0, ROWS_BELOW);
  const width = Math.max(kinds.length, ...next.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    name: kinds[column],
    cells: next.map((row) => row[column]).filter(isFilled) as CellKind[],
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

/** Whether most cells are of another kind than the name above them. */
function isContrast(name: CellKind, cells: readonly CellKind[]): boolean {
  const other = cells.filter((kind) =>
    isTime(name) ? !isTime(kind) && kind !== 'text' : kind !== 'text',
  );
  return other.length > cells.length * 0.6;
}

/** Adds rows above and below that name columns too: groups above, units below. */
function extendHeader(
  rows: readonly CellRow[],
  kindsByRow: readonly RowKinds[],
  index: number,
): number[] {
  const header = [index];
  const canHave = (row: number) => header.length < MAX_HEADER_ROWS && kindsByRow[row] !== undefined;
  while (canHave((header[0] ?? 0) - 1) && isGroupRow(rows, kindsByRow, (header[0] ?? 0) - 1))
    header.unshift((header[0] ?? 0) - 1);
  while (canHave((header.at(-1) ?? 0) + 1) && isSubheader(kindsByRow, (header.at(-1) ?? 0) + 1))
    header.push((header.at(-1) ?? 0) + 1);
  return header;
}

/** Labels alone, not only in the first column, which a title has. */
function isGroupRow(
  rows: readonly CellRow[],
  kindsByRow: readonly RowKinds[],
  index: number,
): boolean {
  const kinds = kindsByRow[index] ?? [];
  const below = rows[index + 1];
  const filled = kinds.flatMap((kind, column) => (isFilled(kind) ? [column] : []));
  if (!below || below.position - (rows[index]?.position ?? 0) > 1) return false;
  if (filled.some((column) => !isLabel(kinds[column] ?? 'blank'))) return false;
  if (!isNeededAbove(rows[index], below)) return false;
  const hasLongText = rows[index]?.cells.some((cell) => String(cell ?? '').length > 60) ?? false;
  const isTitle = filled.length < 2 && (filled[0] ?? 0) < 2;
  return filled.length > 0 && !isTitle && !hasLongText;
}

/** Whether the names below are not enough: some are the same, or blank, or periods are above. */
function isNeededAbove(upper: CellRow | undefined, lower: CellRow): boolean {
  const names = lower.cells.map(toText).filter((text) => text !== '');
  const times = upper?.cells.filter((cell) => isTime(classifyCell(cell).kind)) ?? [];
  const fillsBlank = upper?.cells.some(
    (cell, column) => toText(cell) !== '' && toText(lower.cells[column]) === '',
  );
  return new Set(names).size < names.length || times.length > 1 || fillsBlank === true;
}

/** Labels alone, above columns of figures: a row of data would have figures there. */
function isSubheader(kindsByRow: readonly RowKinds[], index: number): boolean {
  const kinds = kindsByRow[index] ?? [];
  const next = kindsByRow.slice(index + 1, index + 1 + ROWS_BELOW);
  const filled = kinds.flatMap((kind, column) => (isFilled(kind) ? [column] : []));
  if (filled.length < 2 || next.length === 0) return false;
  const isAboveFigures = (column: number) =>
    next.filter((row) => row[column] === 'number' || row[column] === 'percent').length >
    next.length * 0.5;
  const labels = filled.filter((column) => isLabel(kinds[column] ?? 'blank'));
  const above = labels.filter(isAboveFigures);
  return (
    labels.length === filled.length && above.length >= 2 && above.length >= filled.length * 0.6
  );
}

export const toText = (cell: FileCell | undefined): string => String(cell ?? '').trim();
