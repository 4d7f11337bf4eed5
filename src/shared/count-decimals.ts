/** How many decimals a number needs, up to a limit, given its shortest decimal. */
export function countDecimals(value: number, max: number, text = String(value)): number {
  if (Number.isInteger(value)) return 0;
  const decimals = text.length - text.indexOf('.') - 1;
  if (decimals <= max && !text.includes('e')) return decimals;
  // Exponents, and errors of binary fractions.
  const [, fraction = ''] = value.toFixed(max).replace(/0+$/, '').split('.');
  return fraction.length;
}
