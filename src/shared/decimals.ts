/** The exact sum of decimals, as the nearest double: 0.1 and 0.2 give 0.3, not 0.30000000000000004. */
export function sumDecimals(figures: readonly number[]): number {
  let decimals = 0;
  for (const figure of figures) decimals = Math.max(decimals, countAllDecimals(figure));
  return sumScaled(figures, decimals) ?? sumLong(figures, decimals);
}

/** The exact difference of two decimals, as the nearest double. */
export function subtractDecimals(figure: number, base: number): number {
  return sumDecimals([figure, -base]);
}

/** A larger power of ten is not an exact double. */
const MAX_SCALE = 22;
/** Up to here, the error of a product that should be whole is below a half. */
const MAX_SCALED = 2 ** 51;

/** Adds whole numbers, as long as these are exact doubles. */
function sumScaled(figures: readonly number[], decimals: number): number | undefined {
  if (decimals > MAX_SCALE) return undefined;
  const scale = 10 ** decimals;
  let sum = 0;
  let size = 0;
  for (const figure of figures) {
    const scaled = Math.round(figure * scale);
    sum += scaled;
    size += Math.abs(scaled);
  }
  return size <= MAX_SCALED ? sum / scale : undefined;
}

function sumLong(figures: readonly number[], decimals: number): number {
  const sum = figures.reduce((total, figure) => total + toScaledInteger(figure, decimals), 0n);
  return Number(`${sum}e-${decimals}`);
}

function toScaledInteger(figure: number, decimals: number): bigint {
  const [digits = '', exponent = '0'] = String(figure).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(decimals - fraction.length + Number(exponent));
}

function countAllDecimals(figure: number): number {
  if (Number.isSafeInteger(figure)) return 0;
  const [digits = '', exponent = '0'] = String(figure).split('e');
  const point = digits.indexOf('.');
  const fraction = point < 0 ? 0 : digits.length - point - 1;
  return Math.max(0, fraction - Number(exponent));
}

/** A figure to some decimals; one that is no finite number is null. */
export function roundFigure(value: number | null, decimals: number): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  const scale = 10 ** decimals;
  const scaled = Math.round(value * scale);
  // Beyond whole numbers there are no decimals to drop; adding 0 turns -0 into 0.
  return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
}
