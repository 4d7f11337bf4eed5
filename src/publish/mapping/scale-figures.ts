import type { ConvertCell } from '../cells/create-converter.ts';

/** A conversion with what the mapping says of the field's figures. */
export function withScaling(
  convert: ConvertCell,
  power: string | undefined,
  zeroIsBlank: boolean,
): ConvertCell {
  if (power === undefined && !zeroIsBlank) return convert;
  const exponent = Number(power?.slice(2) ?? 0);
  return (cell) => {
    const value = convert(cell);
    if (typeof value !== 'number') return value;
    if (value === 0) return zeroIsBlank ? undefined : 0;
    return exponent === 0 ? value : shiftDecimalPoint(value, exponent);
  };
}

/** The sum of figures as people would write it: doubles make 0.30000000000000004 of 0.1 and 0.2. */
export function sumDecimals(figures: readonly number[]): number {
  const sum = figures.reduce((running, figure) => running + figure, 0);
  const places = Math.max(0, ...figures.map(countDecimals));
  return places > MAX_DECIMALS ? sum : Number(sum.toFixed(places));
}

/** Of more places than these, a double holds no more than noise. */
const MAX_DECIMALS = 15;

function countDecimals(figure: number): number {
  const [digits = '', exponent = '0'] = String(figure).split('e');
  return (digits.split('.')[1]?.length ?? 0) - Number(exponent);
}

/** A figure times a power of ten, without the rounding of a multiplication. */
function shiftDecimalPoint(value: number, exponent: number): number {
  const [digits, own = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(own) + exponent}`);
}
