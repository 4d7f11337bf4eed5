import type { ConvertCell } from '../cells/create-converter.ts';

/** Scales converted figures, and turns zeros into blanks, as the mapping says. */
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

/** Multiplies by a power of ten without rounding errors. */
function shiftDecimalPoint(value: number, exponent: number): number {
  const [digits, ownExponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(ownExponent) + exponent}`);
}
