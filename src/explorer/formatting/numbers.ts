import type { FieldInfo } from '../api/types.ts';

/** Shown instead of a missing figure. */
export const NO_VALUE = '–';

/** Decimals by kind of field. */
const DECIMALS: Readonly<Record<string, number>> = {
  price: 4,
  percent: 3,
  years: 2,
  amount: 1,
  count: 0,
  share: 1,
  numbers: 1,
};

/** What determines the format of a value. */
export type UnitInfo = Pick<FieldInfo, 'kind' | 'unit'>;

/** A figure of a field, without its unit: `11.130`, `1,204.7`, `42.0`. */
export function formatFigure(value: unknown, field: UnitInfo): string {
  if (typeof value !== 'number') return String(value ?? NO_VALUE);
  return formatNumber(toDisplayUnit(value, field), getDecimals(value, field));
}

/** Shares are fractions of one, and displayed in percent. */
export function toDisplayUnit(value: number, { kind }: UnitInfo): number {
  // Rounds away the binary error of the multiplication.
  return kind === 'share' ? Number((value * 100).toPrecision(15)) : value;
}

/** The usual number of decimals. Large whole amounts have none. */
export function getDecimals(value: number, { kind }: UnitInfo): number {
  const isLargeInteger = Number.isInteger(value) && Math.abs(value) >= 1_000;
  if (kind === 'amount' && (value === 0 || isLargeInteger)) return 0;
  return DECIMALS[kind] ?? 2;
}

/** A figure with its unit: `11.130 %`, `1,204.7 PKR billion`. */
export function formatWithUnit(value: unknown, field: UnitInfo): string {
  const unit = getUnit(field);
  const text = formatFigure(value, field);
  return text === NO_VALUE || unit === '' ? text : `${text} ${unit}`;
}

/** The displayed unit; empty if there is none. */
export function getUnit({ kind, unit }: UnitInfo): string {
  if (kind === 'percent' || kind === 'share' || unit === 'percent') return '%';
  return unit ?? '';
}

export function getShortUnit(field: UnitInfo): string {
  return field.kind === 'price' ? 'per 100' : getUnit(field);
}

/** `1,204.70`, with a typographic minus sign. 0 has no sign. */
export function formatNumber(value: number, decimals: number): string {
  return getFormatter(decimals).format(value).replace('-', '−');
}

/** `+0.25`, `−1.00`, `0.00`. */
export function formatSigned(value: number, decimals: number): string {
  const text = formatNumber(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A large number on an axis: `1.2 M`, `350 k`. */
export function formatCompact(value: number): string {
  const [divisor, suffix] =
    MAGNITUDES.find(([size]) => Math.abs(value) >= Math.max(size, 1e4)) ?? ([1, ''] as const);
  return `${formatNumber(value / divisor, 3).replace(/\.?0+$/, '')}${suffix}`;
}

const MAGNITUDES = [
  [1e9, ' bn'],
  [1e6, ' M'],
  [1e3, ' k'],
] as const;

/** Undefined if a value is missing or the earlier one is not positive. */
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

const formatters: Intl.NumberFormat[] = [];

function getFormatter(decimals: number): Intl.NumberFormat {
  formatters[decimals] ??= new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
  return formatters[decimals];
}
