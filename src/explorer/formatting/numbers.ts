import type { FieldInfo } from '../api/types.ts';

/** What stands where there is no figure. */
export const NO_VALUE = '–';

/** How many decimals a figure of a kind has on the page. Tables give the whole of it on hover. */
const DECIMALS: Readonly<Record<string, number>> = {
  price: 4,
  percent: 3,
  years: 2,
  amount: 1,
  count: 0,
  share: 1,
  numbers: 1,
};

/** How values are written. */
export type UnitInfo = Pick<FieldInfo, 'kind' | 'unit'>;

/** A figure of a field, without its unit: `11.130`, `1,204.7`, `42.0`. */
export function formatFigure(value: unknown, field: UnitInfo): string {
  if (typeof value !== 'number')
    return value === undefined || value === null ? NO_VALUE : String(value);
  return formatNumber(toDisplayUnit(value, field), getDecimals(value, field));
}

/** The number that is written: shares are fractions of one, and written in percent. */
export function toDisplayUnit(value: number, { kind }: UnitInfo): number {
  // Without the digits that only multiplying makes.
  return kind === 'share' ? Number((value * 100).toPrecision(15)) : value;
}

/** How many decimals it is usually written with. */
export function getDecimals(value: number, { kind }: UnitInfo): number {
  const isWhole = kind === 'amount' && (value === 0 || isLargeInteger(value));
  return isWhole ? 0 : (DECIMALS[kind] ?? 2);
}

function isLargeInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= 1_000;
}

/** A figure with its unit: `11.130 %`, `1,204.7 PKR billion`. */
export function formatWithUnit(value: unknown, field: UnitInfo): string {
  const unit = getUnit(field);
  const text = formatFigure(value, field);
  return text === NO_VALUE || unit === '' ? text : `${text} ${unit}`;
}

/** How the page writes the unit of a field; empty where there is none. */
export function getUnit({ kind, unit }: UnitInfo): string {
  if (kind === 'percent' || kind === 'share' || unit === 'percent') return '%';
  return unit ?? '';
}

/** The same in few characters, where there is little room. */
export function getShortUnit(field: Pick<FieldInfo, 'kind' | 'unit'>): string {
  return field.kind === 'price' ? 'per 100' : getUnit(field);
}

/** A number with so many decimals and a comma between thousands. A minus is a real one; 0 has none. */
export function formatNumber(value: number, decimals: number): string {
  return getFormatter(decimals).format(value).replace('-', '−');
}

/** The same with its sign: `+0.25`, `−1.00`, `0.00`. */
export function formatSigned(value: number, decimals: number): string {
  const text = formatNumber(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A large number in few characters, for axes: `1.2 M`, `350 k`. */
export function formatCompact(value: number): string {
  const [by, letter] = SIZES.find(([size]) => Math.abs(value) >= Math.max(size, 1e4)) ?? [1, ''];
  return `${formatNumber(value / by, 3).replace(/\.?0+$/, '')}${letter}`;
}

const SIZES = [
  [1e9, ' bn'],
  [1e6, ' M'],
  [1e3, ' k'],
] as const;

/** How much later is against earlier, in percent; undefined where that would say nothing. */
export function computePercentChange(
  later: number | undefined,
  earlier: number | undefined,
): number | undefined {
  if (later === undefined || earlier === undefined || earlier <= 0) return undefined;
  return (later / earlier - 1) * 100;
}

/** `1 quarter`, `32 quarters`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const formatters = new Map<number, Intl.NumberFormat>();

function getFormatter(decimals: number): Intl.NumberFormat {
  const known = formatters.get(decimals);
  if (known) return known;
  const made = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
  formatters.set(decimals, made);
  return made;
}
