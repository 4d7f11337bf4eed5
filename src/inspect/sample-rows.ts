import type { CellRow, CellTable, FileCell } from '../formats/read-contents.ts';

/** The first and last rows are examined; the others are counted. */
const MAX_FIRST_ROWS = 1_500;
const MAX_LAST_ROWS = 500;
/** The limit for the first rows, and for the last, because rows may be wide. */
const MAX_SAMPLED_CELLS = 100_000;

export interface RowSample {
  readonly first: readonly CellRow[];
  /** The last rows, if they are not among the first. */
  readonly last: readonly CellRow[];
  readonly rowCount: number;
  /** The number of columns. */
  readonly width: number;
}

export async function sampleRows(
  { rows }: Pick<CellTable, 'rows'>,
  onBatch: () => void,
): Promise<RowSample> {
  const first: CellRow[] = [];
  let last: CellRow[] = [];
  let [rowCount, width, sampledCells] = [0, 0, 0];
  const isFull = () => first.length >= MAX_FIRST_ROWS || sampledCells >= MAX_SAMPLED_CELLS;
  for await (const batch of rows) {
    onBatch();
    rowCount += batch.length;
    const remaining = batch.filter((row) => {
      width = Math.max(width, getFilledWidth(row.cells));
      if (isFull()) return true;
      first.push(row);
      sampledCells += row.cells.length;
      return false;
    });
    if (remaining.length > 0)
      last = [...last, ...remaining].slice(-Math.min(MAX_LAST_ROWS, 1 + MAX_SAMPLED_CELLS / width));
  }
  return { first, last, rowCount, width };
}

/** Without blank cells at the end. */
function getFilledWidth(cells: readonly FileCell[]): number {
  return cells.findLastIndex((cell) => cell !== null && String(cell).trim() !== '') + 1;
}
