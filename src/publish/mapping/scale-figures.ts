import type { ConvertCell } from '../cells/create-converter.ts';

/** Scales converted figures, and takes zeros for blanks, as the mapping says. */
export function withScaling(
  convert: ConvertCell,
  scale: string | undefined,
  zeroIsBlank: boolean,
): ConvertCell {
  if (scale === undefined && !zeroIsBlank) return convert;
  const exponent = Number(scale?.slice(2) ?? 0);
  return (cell) => {
    const value = convert(cell);
    if (typeof value !== 'number') return value;
    if (value === 0) return zeroIsBlank ? undefined : 0;
    return exponent === 0 ? value : shiftDecimalPoint(value, exponent);
  };
}

/** The decimal sum of figures: 0.1 and 0.2 give 0.3, not 0.30000000000000004. */
export function sumDecimals(figures: readonly number[]): number {
  const sum = figures.reduce((total, figure) => total + figure, 0);
  const decimals = Math.max(0, ...figures.map(countDecimals));
  return decimals > MAX_DECIMALS ? sum : Number(sum.toFixed(decimals));
}

/** Further decimals of a double are noise. */
const MAX_DECIMALS = 15;

function countDecimals(figure: number): number {
  const [digits = '', exponent = '0'] = String(figure).split('e');
  return (digits.split('.')[1]?.length ?? 0) - Number(exponent);
}

/** Multiplies by a power of ten without the rounding of a multiplication. */
function shiftDecimalPoint(value: number, exponent: number): number {
  const [digits, ownExponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(ownExponent) + exponent}`);
}
