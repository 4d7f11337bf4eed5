import type { FieldEntry } from '../service/catalogue.ts';

/** What stands where there is no figure. */
export const NONE = '–';

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

/** A figure of a field, without its unit: `11.130`, `1,204.7`, `42.0`. */
export function figure(value: unknown, field: Pick<FieldEntry, 'kind' | 'unit'>): string {
  if (typeof value !== 'number')
    return value === undefined || value === null ? NONE : String(value);
  const shown = field.kind === 'share' ? value * 100 : value;
  const isWhole = field.kind === 'amount' && (value === 0 || isLargeInteger(value));
  return grouped(shown, isWhole ? 0 : (DECIMALS[field.kind] ?? 2));
}

function isLargeInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= 1_000;
}

/** A figure with its unit: `11.130 %`, `1,204.7 PKR billion`. */
export function withUnit(value: unknown, field: Pick<FieldEntry, 'kind' | 'unit'>): string {
  const unit = unitOf(field);
  const text = figure(value, field);
  return text === NONE || unit === '' ? text : `${text} ${unit}`;
}

/** How the page writes the unit of a field; empty where there is none. */
export function unitOf({ kind, unit }: Pick<FieldEntry, 'kind' | 'unit'>): string {
  if (kind === 'percent' || kind === 'share' || unit === 'percent') return '%';
  return unit ?? '';
}

/** A number with so many decimals and a comma between thousands. A minus is a real one. */
export function grouped(value: number, decimals: number): string {
  return formatterOf(decimals).format(value).replace('-', '−');
}

/** The same with its sign: `+0.25`, `−1.00`, `0.00`. */
export function signed(value: number, decimals: number): string {
  const text = grouped(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text.replace(/^−(?=[0.,]*$)/, '');
}

/** A large number in few characters, for axes: `1.2 M`, `350 k`. */
export function brief(value: number): string {
  const [by, letter] = SIZES.find(([size]) => Math.abs(value) >= Math.max(size, 1e4)) ?? [1, ''];
  return `${grouped(value / by, 3).replace(/\.?0+$/, '')}${letter}`;
}

const SIZES = [
  [1e9, ' bn'],
  [1e6, ' M'],
  [1e3, ' k'],
] as const;

/** How much later is against earlier, in percent; undefined where that would say nothing. */
export function changeOf(
  later: number | undefined,
  earlier: number | undefined,
): number | undefined {
  if (later === undefined || earlier === undefined || earlier <= 0) return undefined;
  return (later / earlier - 1) * 100;
}

const formatters = new Map<number, Intl.NumberFormat>();

function formatterOf(decimals: number): Intl.NumberFormat {
  const known = formatters.get(decimals);
  if (known) return known;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const made = new Intl.NumberFormat('en', digits);
  formatters.set(decimals, made);
  return made;
}
