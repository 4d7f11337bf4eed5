import type { CellRow, CellTable, FileCell } from '../formats/read-contents.ts';

/** The number of rows that are looked at; the others are counted. */
export const MAX_SAMPLED_ROWS = 2_000;
const MAX_LAST_ROWS = 40;
/** The cells of all rows that are looked at, because rows may be wide. */
const MAX_SAMPLED_CELLS = 300_000;

/** The start and the end of a table, and its length. */
export interface RowSample {
  readonly first: readonly CellRow[];
  /** The last rows, where they are not among the first. */
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
  const isFull = () => first.length >= MAX_SAMPLED_ROWS || sampledCells >= MAX_SAMPLED_CELLS;
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
    if (remaining.length > 0) last = [...last, ...remaining].slice(-MAX_LAST_ROWS);
  }
  return { first, last, rowCount, width };
}

/** Without blank cells at the end. */
function getFilledWidth(cells: readonly FileCell[]): number {
  return cells.findLastIndex((cell) => cell !== null && String(cell).trim() !== '') + 1;
}
