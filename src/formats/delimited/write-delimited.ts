import type { FileCell, TableWriter } from '../file-contents.ts';

/**
 * Writes a table as CSV (RFC 4180, with CRLF) or TSV (with LF), its header first. Null is an empty
 * cell, empty text is `""`. What is written is read back as the same cells, numbers as their text.
 */
export function createDelimitedWriter(
  delimiter: ',' | '\t',
  textOf = formatDelimitedCell,
): TableWriter {
  const lineEnd = delimiter === ',' ? '\r\n' : '\n';
  const line = (cells: readonly FileCell[]) => {
    const written = cells.map(textOf).join(delimiter);
    // A row of nulls alone would be a blank line, which readers leave out.
    const blank = cells.every((cell) => cell === null);
    return (blank ? `""${written}` : written) + lineEnd;
  };
  const encoder = new TextEncoder();
  return async function* ({ columns, rows }) {
    yield encoder.encode(line(columns.map((column) => column.name)));
    for await (const batch of rows) {
      if (batch.length > 0) yield encoder.encode(batch.map(line).join(''));
    }
  };
}

/**
 * Writes CSV for whoever may open it in a spreadsheet: text that would run there as a formula has
 * an apostrophe before it. Numbers are as they are.
 */
export const writeSpreadsheetCsv = createDelimitedWriter(',', (cell) => {
  const runs = typeof cell === 'string' && FORMULA_START.test(cell);
  return formatDelimitedCell(runs ? `'${cell}` : cell);
});

/**
 * What a formula begins with, also in full width; spreadsheets drop a tab or a line end before it.
 * Behind apostrophes as well: so one that is there was added, and can be taken off again.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * What must be in quotes: besides what the format asks for, all that a reader could take for a
 * delimiter or trim away, and Excel's `sep=`.
 */
const NEEDS_QUOTES = /["\r\n,;\t|]|^\s|\s$|^$|^sep=/i;

function formatDelimitedCell(cell: FileCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return JSON.stringify(cell);
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
