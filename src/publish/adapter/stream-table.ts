import { InvalidFileError } from '../../formats/read-contents.ts';
import { Columns, Row } from './row.ts';

export interface TableOptions {
  /** How many rows name the columns, one below the other: `2023 Volume`. Default 1. */
  readonly headerRows?: number;
}

/** The rows below the first header that has these columns. */
export async function* streamTable(
  rows: AsyncIterable<Row>,
  names: readonly string[],
  { headerRows = 1 }: TableOptions = {},
): AsyncGenerator<Row> {
  let columns: Columns | undefined;
  let candidates: Row[] = [];
  let first: Row | undefined;
  for await (const row of rows) {
    if (columns) {
      yield new Row(row.cells, row.position, row.sheet, row.sheetNumber, columns);
      continue;
    }
    first ??= row;
    candidates = [...candidates, row].slice(-headerRows);
    if (candidates.length < headerRows) continue;
    const header = new Columns(joinHeaderRows(candidates));
    if (names.every((name) => header.has(name))) columns = header;
  }
  if (columns) return;
  const cells = first?.cells.slice(0, 8).map((cell) => String(cell ?? '')) ?? [];
  const sheet = first?.sheet === undefined ? '' : ` in the sheet ${first.sheet}`;
  throw new InvalidFileError(
    `has no row${sheet} with the columns ${names.join(', ')}; its first row has ${cells.join(', ')}`,
  );
}

/** A name in an upper row holds for the blank cells after it, as those of merged cells are. */
function joinHeaderRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const texts = rows.map((row, index) => {
    const isLast = index === rows.length - 1;
    let left = '';
    return Array.from({ length: width }, (_, column) => {
      const text = row.text(column);
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
