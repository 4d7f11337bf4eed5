/** The sheet's own limits, beyond which no program has cells. */
export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;

/** The letters of a column, 1 for the first: 28 is `AB`. */
export function formatColumnName(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column <= 26 ? letter : formatColumnName(Math.floor((column - 1) / 26)) + letter;
}

/** The column of an address such as `AB12`, or 0 where it is not one. */
export function parseColumnNumber(address: string): number {
  let column = 0;
  let at = 0;
  for (; at < address.length; at += 1) {
    const letter = address.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return at <= 4 ? column : 0;
}

/** The row of an address such as `AB12`, or NaN where it is not one. */
export function parseRowNumber(address: string): number {
  let at = 0;
  while (address.charCodeAt(at) > 64) at += 1;
  return Number.parseInt(address.slice(at), 10);
}
