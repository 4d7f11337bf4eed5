import type { CellRow, CellTable, FileCell } from '../formats/read-contents.ts';
import { toText } from './find-header.ts';

/** The first and last rows are examined; the others are counted. */
const MAX_FIRST_ROWS = 1_500;
const MAX_LAST_ROWS = 500;
/** The limit for the first rows, and for the last, because rows may be wide. */
const MAX_SAMPLED_CELLS = 100_000;
/** Of columns with more texts it is not known which there are. */
const MAX_LATER_TEXTS = 1_000;

export interface RowSample {
  readonly first: readonly CellRow[];
  /** The last rows, if they are not among the first. */
  readonly last: readonly CellRow[];
  /** The different texts of each column in all rows that are not among the first; a part if there are many. */
  readonly laterTexts: readonly ReadonlySet<string>[];
  readonly rowCount: number;
  /** The number of columns. */
  readonly width: number;
}

export async function sampleRows(
  { rows }: Pick<CellTable, 'rows'>,
  onBatch: () => void,
): Promise<RowSample> {
  const first: CellRow[] = [];
  const laterTexts: Set<string>[] = [];
  let last: CellRow[] = [];
  let [rowCount, width, sampledCells] = [0, 0, 0];
  const isFull = () => first.length >= MAX_FIRST_ROWS || sampledCells >= MAX_SAMPLED_CELLS;
  for await (const batch of rows) {
    onBatch();
    rowCount += batch.length;
    const remaining = batch.filter((row) => {
      width = Math.max(width, getFilledWidth(row.cells));
      if (isFull()) {
        addTexts(laterTexts, row);
        return true;
      }
      first.push(row);
      sampledCells += row.cells.length;
      return false;
    });
    if (remaining.length > 0)
      last = [...last, ...remaining].slice(-Math.min(MAX_LAST_ROWS, 1 + MAX_SAMPLED_CELLS / width));
  }
  return { first, last, laterTexts, rowCount, width };
}

function addTexts(texts: Set<string>[], { cells }: CellRow): void {
  for (const [index, cell] of cells.entries()) {
    texts[index] ??= new Set();
    if (texts[index].size <= MAX_LATER_TEXTS) texts[index].add(toText(cell));
  }
}

/** Without blank cells at the end. */
function getFilledWidth(cells: readonly FileCell[]): number {
  return cells.findLastIndex((cell) => cell !== null && String(cell).trim() !== '') + 1;
}
