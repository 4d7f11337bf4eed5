import type { CellRow, CellTable, FileCell } from '../formats/read-contents.ts';
import { toText } from './find-header.ts';
import { isSparse, isTotal, MIN_WIDTH_WITH_HEADINGS } from './other-rows.ts';
import { cutCell } from './profile-column.ts';

/** The first and last rows are examined; the others are counted. */
const MAX_FIRST_ROWS = 1_500;
const MAX_LAST_ROWS = 500;
/** The limit for the first rows, and for the last, because rows may be wide. */
const MAX_SAMPLED_CELLS = 100_000;
/** Of columns with more texts it is not known which there are. */
const MAX_LATER_TEXTS = 1_000;
/** A header, if there is one, is among the first characters of a file. */
const HEAD_CHARACTERS = 1024 ** 2;

export interface RowSample {
  readonly first: readonly CellRow[];
  /** The last rows, if they are not among the first. */
  readonly last: readonly CellRow[];
  /** The different texts of each column in all rows of data that are not among the first; a part if there are many. */
  readonly laterTexts: readonly ReadonlySet<string>[];
  readonly rowCount: number;
  /** The number of columns. */
  readonly width: number;
}

interface SampleOptions {
  readonly onBatch: () => void;
  /** Called with the rows of the first MiB, if more follow; may throw to stop reading. */
  readonly onHead?: (rows: readonly CellRow[]) => void;
}

export async function sampleRows(
  { rows }: Pick<CellTable, 'rows'>,
  { onBatch, onHead = () => {} }: SampleOptions,
): Promise<RowSample> {
  const first: CellRow[] = [];
  const later = new LaterTexts();
  let last: CellRow[] = [];
  let [rowCount, width, sampledCells, characters] = [0, 0, 0, 0];
  const isFull = () => first.length >= MAX_FIRST_ROWS || sampledCells >= MAX_SAMPLED_CELLS;
  for await (const batch of rows) {
    onBatch();
    rowCount += batch.length;
    const remaining: CellRow[] = [];
    for (const row of batch.map(cutCells)) {
      width = Math.max(width, getFilledWidth(row.cells));
      if (isFull()) {
        later.add(row, width);
        remaining.push(row);
        continue;
      }
      first.push(row);
      sampledCells += row.cells.length;
    }
    const wasHead = characters <= HEAD_CHARACTERS;
    if (wasHead) for (const row of batch) characters += countCharacters(row);
    if (wasHead && characters > HEAD_CHARACTERS) onHead(first);
    if (remaining.length > 0)
      last = [...last, ...remaining].slice(-Math.min(MAX_LAST_ROWS, 1 + MAX_SAMPLED_CELLS / width));
  }
  return { first, last, laterTexts: later.columns, rowCount, width };
}

/** The texts of columns in rows of data: those of sums, headings and notes are left out. */
class LaterTexts {
  readonly columns: Set<string>[] = [];
  /** Rows of a narrow table without figures: notes, unless other rows follow. */
  #pending: CellRow[] = [];

  add(row: CellRow, width: number): void {
    if (isTotal(row)) return;
    if (!isSparse(row, width)) {
      for (const { cells } of [...this.#pending, row]) this.#addTexts(cells);
      this.#pending = [];
    } else if (width < MIN_WIDTH_WITH_HEADINGS && this.#pending.length < MAX_LATER_TEXTS)
      this.#pending.push(row);
  }

  #addTexts(cells: readonly FileCell[]): void {
    for (const [index, cell] of cells.entries()) {
      const texts = this.columns[index] ?? new Set();
      this.columns[index] = texts;
      if (texts.size <= MAX_LATER_TEXTS) texts.add(toText(cell));
    }
  }
}

const cutCells = (row: CellRow): CellRow => ({ ...row, cells: row.cells.map(cutCell) });

const countCharacters = ({ cells }: CellRow) =>
  cells.reduce<number>((sum, cell) => sum + 1 + (typeof cell === 'string' ? cell.length : 8), 0);

/** Without blank cells at the end. */
function getFilledWidth(cells: readonly FileCell[]): number {
  return cells.findLastIndex((cell) => cell !== null && String(cell).trim() !== '') + 1;
}
