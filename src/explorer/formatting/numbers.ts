import { countDecimals } from '../../shared/count-decimals.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { memoize } from '../../shared/memoize.ts';
import type { FieldInfo } from '../api/types.ts';
import { formatDayLabel, formatInstantLabel, getLocale } from './dates.ts';

export const NO_VALUE = '–';

const DECIMALS: Readonly<Record<string, number>> = createLookupTable({
  price: 4,
  percent: 3,
  basisPoints: 1,
  sensitivity: 6,
  years: 2,
  amount: 1,
  count: 0,
  share: 1,
  numbers: 1,
  /** Small numbers, such as unit prices, which change by hundredths. */
  smallNumbers: 2,
});

export interface UnitInfo extends Pick<FieldInfo, 'kind' | 'unit'> {
  /** How many decimals figures have, if declared. */
  readonly decimals?: FieldInfo['decimals'] | undefined;
  /** The decimals that all figures of a component are rounded to; absent if they are exact. */
  readonly roundedTo?: number | undefined;
}

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

/** The declared number of decimals, else the usual one. Large whole amounts have none. */
function getDecimals(value: number, { kind, decimals }: UnitInfo): number {
  if (typeof decimals === 'number') return kind === 'share' ? Math.max(0, decimals - 2) : decimals;
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

/** A figure with its unit if that is short; titles and axes have it anyway. */
export function formatInlineUnit(value: unknown, field: UnitInfo): string {
  const format = getUnit(field).length <= MAX_INLINE_UNIT_LENGTH ? formatWithUnit : formatFigure;
  return formatDays(value, field) ?? format(value, field);
}

const MAX_INLINE_UNIT_LENGTH = 6;

/** `2 days` for a time below a month; undefined for longer times and other figures. */
export function formatDays(value: unknown, { kind, unit }: UnitInfo): string | undefined {
  if (kind !== 'years' || unit !== 'years' || typeof value !== 'number') return undefined;
  return value >= 1 / 12 ? undefined : formatQuantity(Math.round(value * 365), 'day');
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
  return formatWithin(value, decimals, decimals);
}

/** `+0.25`, `−1.00`, `0.00`. */
export function formatSigned(value: number, decimals: number): string {
  const text = formatNumber(value, decimals);
  return value > 0 && text !== formatNumber(0, decimals) ? `+${text}` : text;
}

/**
 * A difference of figures: `+12.3 bp` for yields and spreads, `+0.4521` for prices; with no more decimals
 * than the figures have, if known.
 */
export function formatFigureChange(difference: number, unitInfo: UnitInfo): string {
  const { kind, roundedTo = Infinity } = unitInfo;
  if (kind === 'percent')
    return `${formatSigned(difference * 100, Math.max(0, Math.min(1, roundedTo - 2)))} bp`;
  const text = formatSigned(difference, Math.min(roundedTo, getDecimals(difference, unitInfo)));
  return kind === 'basisPoints' ? `${text} bp` : text;
}

/** The labels of an axis, with as many decimals as one of them needs: `0`, `350 M`; `1.0`, `1.5`. */
export function formatTicks(ticks: readonly number[]): string[] {
  const largest = Math.max(...ticks.map(Math.abs));
  const [divisor, suffix] = MAGNITUDES.find(([size]) => largest >= size) ?? ([1, ''] as const);
  const values = ticks.map((tick) => Number((tick / divisor).toPrecision(12)));
  const decimals = Math.max(...values.map((value) => countDecimals(value, MAX_TICK_DECIMALS)));
  return values.map((value) => formatNumber(value, decimals) + (value === 0 ? '' : suffix));
}

const MAX_TICK_DECIMALS = 6;

/** Thousands are written out: 70 k of billions would not be read as 70,000 billion. */
const MAGNITUDES = [
  [1e9, ' bn'],
  [1e6, ' M'],
] as const;

/** `1 quarter`, `1,032 quarters`. */
export function formatQuantity(count: number, noun: string): string {
  return `${formatNumber(count, 0)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12 of 373 quotes`; only the number if all match. */
export function formatMatches(matches: number, all: number, plural: string): string {
  const total = `${formatNumber(all, 0)} ${plural}`;
  return matches === all ? total : `${formatNumber(matches, 0)} of ${total}`;
}

function formatWithin(value: number, minDecimals: number, maxDecimals: number): string {
  const key = `${getLocale() ?? 'en'} ${minDecimals} ${maxDecimals}`;
  return getNumberFormatter(key).format(value).replace('-', '−');
}

/** By locale, least and most decimals. */
const getNumberFormatter = memoize(100, (key: string) => {
  const [locale, min, max] = key.split(' ');
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: Number(min),
    maximumFractionDigits: Number(max),
    signDisplay: 'negative',
  });
});

/**
 * Formats two values, without their unit, so that they look different if they differ: numbers get more
 * decimals than usual if necessary (`100.04` and `100.02`), but no more than they have.
 */
export function formatPair(old: unknown, later: unknown, field: UnitInfo, isExact = false) {
  const isRounded = !isExact && typeof (old ?? later) === 'number';
  if (isRounded && typeof old === 'number' && typeof later === 'number')
    return formatNumberPair(old, later, field);
  const format = isRounded ? formatFigure : formatExact;
  const pair = { old: format(old, field), new: format(later, field) };
  const isAmbiguous = old !== later && pair.old === pair.new;
  return isAmbiguous ? { old: String(old), new: String(later) } : pair;
}

function formatNumberPair(old: number, later: number, field: UnitInfo) {
  const numbers = [old, later].map((value) => {
    const displayed = toDisplayUnit(value, field);
    const maxDecimals = countDecimals(displayed, MAX_FRACTION_DIGITS);
    return { displayed, usualDecimals: getDecimals(value, field), maxDecimals };
  });
  const limit = Math.max(...numbers.map(({ maxDecimals }) => maxDecimals));
  let decimals = Math.max(...numbers.map(({ usualDecimals }) => usualDecimals));
  const isAmbiguous = () =>
    new Set(numbers.map(({ displayed }) => formatNumber(displayed, decimals))).size < 2;
  while (decimals < limit && isAmbiguous()) decimals++;
  const [oldText = '', newText = ''] = numbers.map(({ displayed, usualDecimals, maxDecimals }) =>
    formatNumber(displayed, Math.max(usualDecimals, Math.min(decimals, maxDecimals))),
  );
  return { old: oldText, new: newText };
}

/** A value with full precision, without its unit: `11.129927`, `1,204.75`. */
export function formatExact(value: unknown, field: UnitInfo): string {
  if (value === undefined || value === null) return NO_VALUE;
  if (typeof value === 'number') return formatFullPrecision(toDisplayUnit(value, field));
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.kind === 'day') return formatDayLabel(value);
  return field.kind === 'instant' ? formatInstantLabel(value) : value;
}

/** `+0.5`, `−1,000`; undefined unless both values are numbers. */
export function formatDifference(
  old: unknown,
  later: unknown,
  field: UnitInfo,
): string | undefined {
  if (typeof old !== 'number' || typeof later !== 'number') return undefined;
  // Rounds away the binary error of the subtraction.
  const difference = Number((later - old).toPrecision(12));
  const text = formatFullPrecision(toDisplayUnit(difference, field));
  return difference > 0 ? `+${text}` : text;
}

function formatFullPrecision(value: number): string {
  return formatWithin(value, 0, MAX_FRACTION_DIGITS);
}

const MAX_FRACTION_DIGITS = 20;
