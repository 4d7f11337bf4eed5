import { formatFileCell, formatSpreadsheetCell } from '../../shared/delimited-cell.ts';
import type { FileCell, FormatWriter } from '../file-contents.ts';

/** CSV (RFC 4180, with CRLF) or TSV (with LF). Null is an empty cell, empty text is `""`. */
export function createDelimitedWriter(
  delimiter: ',' | '\t',
  formatCell = formatFileCell,
): FormatWriter {
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

/** CSV whose texts spreadsheets do not run as formulas. */
export const writeSpreadsheetCsv = createDelimitedWriter(',', formatSpreadsheetCell);
