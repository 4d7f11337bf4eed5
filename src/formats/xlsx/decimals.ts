/** A format rounds to so many decimals; the cell keeps the exact number. */
export const MAX_DECIMALS = 6;

/** How many decimals a number needs, up to the limit, given its shortest decimal. */
export function countDecimals(value: number, text: string): number {
  if (Number.isInteger(value)) return 0;
  const decimals = text.length - text.indexOf('.') - 1;
  // A smaller number is written with an exponent.
  if (decimals <= MAX_DECIMALS && Math.abs(value) >= 1e-6) return decimals;
  const rounded = value.toFixed(MAX_DECIMALS).replace(/\.?0+$/, '');
  const point = rounded.indexOf('.');
  return point === -1 ? 0 : rounded.length - point - 1;
}

/** The length of a number with separators of thousands and so many decimals. */
export function measureNumber(value: number, decimals: number): number {
  const digits = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  const separators = Math.floor((digits - 1) / 3);
  return (value < 0 ? 1 : 0) + digits + separators + (decimals > 0 ? decimals + 1 : 0);
}
