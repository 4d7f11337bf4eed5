import { type CellRow, InvalidFileError } from '../../formats/read-contents.ts';
import { Columns, Row, type SheetReference } from './row.ts';

export interface TableOptions {
  /** How many rows name the columns, one below the other: `2023 Volume`. Default 1. */
  readonly headerRows?: number;
}

/** Opens the rows of a file or sheet, to be read from the start. */
export type OpenRows = () => Promise<{
  readonly rows: AsyncIterable<readonly CellRow[]>;
  readonly sheet: SheetReference;
}>;

/** All rows, which have no names of columns. */
export async function* streamRowBatches(open: OpenRows): AsyncGenerator<readonly Row[]> {
  const { rows, sheet } = await open();
  for await (const batch of rows) yield batch.map((row) => new Row(row, sheet, NO_COLUMNS));
}

const NO_COLUMNS = new Columns([]);

/** The rows below the first header that has these columns. */
export async function* streamTableBatches(
  open: OpenRows,
  names: readonly string[],
  { headerRows = 1 }: TableOptions = {},
): AsyncGenerator<readonly Row[]> {
  const { rows: batches, sheet } = await open();
  let columns: Columns | undefined;
  let candidates: CellRow[] = [];
  let first: CellRow | undefined;
  for await (const batch of batches) {
    const rows: Row[] = [];
    for (const row of batch) {
      if (columns) {
        rows.push(new Row(row, sheet, columns));
        continue;
      }
      first ??= row;
      candidates = [...candidates, row].slice(-headerRows);
      if (candidates.length < headerRows) continue;
      const header = new Columns(joinHeaderRows(candidates));
      if (names.every((name) => header.has(name))) columns = header;
    }
    yield rows;
  }
  if (!columns) throw createMissingTableError(names, first, sheet);
}

function createMissingTableError(
  names: readonly string[],
  first: CellRow | undefined,
  { name }: SheetReference,
): InvalidFileError {
  const where = name === undefined ? '' : ` in the sheet ${name}`;
  const cells = first?.cells.slice(0, 8).map((cell) => String(cell ?? '')) ?? [];
  const found = first ? `its first row has ${cells.join(', ')}` : 'it has no rows';
  return new InvalidFileError(`has no row${where} with the columns ${names.join(', ')}; ${found}`);
}

/**
 * The names of columns that several rows name, one below the other: `2023 Volume`. A name in an
 * upper row holds for the blank cells after it, as those of merged cells are.
 */
export function joinHeaderRows(rows: readonly CellRow[]): string[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const texts = rows.map(({ cells }, index) => {
    const isLast = index === rows.length - 1;
    let left = '';
    return Array.from({ length: width }, (_, column) => {
      const text = String(cells[column] ?? '')
        .trim()
        .replace(/\s+/g, ' ');
      left = text === '' && !isLast ? left : text;
      return left;
    });
  });
  return Array.from({ length: width }, (_, column) =>
    texts
      .map((row) => row[column])
      .filter((text) => text !== '')
      .join(' '),
  );
}

/**
 * The items of batches one by one; `onItem` is called before each. A generator would take several
 * times as long for each, and files have millions of rows.
 */
export function flattenBatches<T>(
  batches: AsyncGenerator<readonly T[]>,
  onItem: (item: T) => void,
): AsyncIterableIterator<T> {
  let batch: readonly T[] = [];
  let index = 0;
  const takeItem = (): IteratorResult<T> => {
    const value = batch[index++] as T;
    onItem(value);
    return { done: false, value };
  };
  const readBatch = async (): Promise<IteratorResult<T>> => {
    do {
      const next = await batches.next();
      if (next.done) return { done: true, value: undefined };
      batch = next.value;
      index = 0;
    } while (batch.length === 0);
    return takeItem();
  };
  return {
    next: () => (index < batch.length ? Promise.resolve(takeItem()) : readBatch()),
    async return() {
      batch = [];
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
