import type { Convert } from '../cells/index.ts';

/** A conversion with what the mapping says of the field's figures. */
export function adjusted(
  convert: Convert,
  power: string | undefined,
  zeroIsBlank: boolean,
): Convert {
  if (power === undefined && !zeroIsBlank) return convert;
  const exponent = Number(power?.slice(2) ?? 0);
  return (cell) => {
    const value = convert(cell);
    if (typeof value !== 'number') return value;
    if (value === 0) return zeroIsBlank ? undefined : 0;
    return exponent === 0 ? value : shifted(value, exponent);
  };
}

/** A figure times a power of ten, without the rounding of a multiplication. */
function shifted(value: number, exponent: number): number {
  const [digits, own = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(own) + exponent}`);
}
