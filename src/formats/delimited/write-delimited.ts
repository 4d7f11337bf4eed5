import type { FileCell, TableWriter } from '../file-contents.ts';

/** CSV (RFC 4180, with CRLF) or TSV (with LF). Null is an empty cell, empty text is `""`. */
export function createDelimitedWriter(
  delimiter: ',' | '\t',
  formatCell = formatDelimitedCell,
): TableWriter {
  const lineEnd = delimiter === ',' ? '\r\n' : '\n';
  const formatLine = (cells: readonly FileCell[]) => {
    const line = cells.map(formatCell).join(delimiter);
    // A row of nulls would be a blank line, which readers skip.
    const isBlank = cells.every((cell) => cell === null);
    return (isBlank ? `""${line}` : line) + lineEnd;
  };
  const encoder = new TextEncoder();
  return async function* ({ columns, rows }) {
    yield encoder.encode(formatLine(columns.map((column) => column.name)));
    for await (const batch of rows)
      if (batch.length > 0) yield encoder.encode(batch.map(formatLine).join(''));
  };
}

/** An apostrophe comes before text that a spreadsheet would run as a formula. */
export const writeSpreadsheetCsv = createDelimitedWriter(',', (cell) => {
  const isFormula = typeof cell === 'string' && FORMULA_START.test(cell);
  return formatDelimitedCell(isFormula ? `'${cell}` : cell);
});

/**
 * The first character of a formula, also in full width; spreadsheets drop a tab or a line end before
 * it. Apostrophes before it get one more, so that the added one can be removed again.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Whatever a reader could take for a delimiter or trim, and Excel's `sep=`. */
const NEEDS_QUOTES = /["\r\n,;\t|]|^\s|\s$|^$|^sep=/i;

function formatDelimitedCell(cell: FileCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return JSON.stringify(cell);
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
