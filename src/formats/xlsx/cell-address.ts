export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;

/** The letters of a column number: 28 is `AB`. */
export function formatColumnName(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column <= 26 ? letter : formatColumnName(Math.floor((column - 1) / 26)) + letter;
}

/** The column number of an address such as `AB12`; 0 if it is invalid. */
export function parseColumnNumber(address: string): number {
  let column = 0;
  let index = 0;
  for (; index < address.length; index += 1) {
    const letter = address.charCodeAt(index) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return index <= 4 ? column : 0;
}

/** The row number of an address such as `AB12`; NaN if it is invalid. */
export function parseRowNumber(address: string): number {
  let index = 0;
  while (address.charCodeAt(index) > 64) index += 1;
  return Number.parseInt(address.slice(index), 10);
}
