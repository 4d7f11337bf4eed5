/** A cell as text: null is empty, empty text is `""`. */
export function formatDelimitedCell(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return JSON.stringify(cell);
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Whatever a reader could mistake for a delimiter or trim, and Excel's `sep=`. */
const NEEDS_QUOTES = /["\r\n,;\t|]|^\s|\s$|^$|^sep=/i;

/** A cell of a file: text that reading would take for an escaped formula gets another apostrophe. */
export function formatFileCell(cell: string | number | null): string {
  const isEscaped = typeof cell === 'string' && unescapeFormula(cell) !== cell;
  return formatDelimitedCell(isEscaped ? `'${cell}` : cell);
}

/** A cell for spreadsheets, with an apostrophe before text that they would run as a formula. */
export function formatSpreadsheetCell(cell: string | number | null): string {
  const isFormula = typeof cell === 'string' && FORMULA_START.test(cell);
  return formatDelimitedCell(isFormula ? `'${cell}` : cell);
}

/** The text of a cell without the apostrophe that keeps spreadsheets from running it. */
export function unescapeFormula(text: string): string {
  if (!text.startsWith("'")) return text;
  const unescaped = text.slice(1);
  return FORMULA_START.test(unescaped) ? unescaped : text;
}

/**
 * The first character of a formula, also in full width; spreadsheets drop a preceding tab or line end.
 * Existing apostrophes get another one, so that the added one can be removed again.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/;
