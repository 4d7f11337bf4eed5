import { formatDayLabel, formatInstantLabel } from './dates.ts';
import {
  formatFigure,
  formatNumber,
  getDecimals,
  NO_VALUE,
  toDisplayUnit,
  type UnitInfo,
} from './numbers.ts';

interface FormattedPair {
  readonly old: string;
  readonly new: string;
}

/**
 * Formats two values, without their unit, so that they differ if the values do: numbers get more
 * decimals than usual if necessary (`100.04` and `100.02`), but none that they do not have.
 */
export function formatPair(
  old: unknown,
  later: unknown,
  field: UnitInfo,
  isExact = false,
): FormattedPair {
  const isRounded = !isExact && typeof (old ?? later) === 'number';
  if (isRounded && typeof old === 'number' && typeof later === 'number') {
    return formatNumberPair(old, later, field);
  }
  const format = isRounded ? formatFigure : formatExact;
  const pair = { old: format(old, field), new: format(later, field) };
  const isAmbiguous = old !== later && pair.old === pair.new;
  return isAmbiguous ? { old: String(old), new: String(later) } : pair;
}

function formatNumberPair(old: number, later: number, field: UnitInfo): FormattedPair {
  const numbers = [old, later].map((value) => {
    const displayed = toDisplayUnit(value, field);
    const maxDecimals = formatFullPrecision(displayed).split('.')[1]?.length ?? 0;
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
  return FULL_PRECISION_FORMAT.format(value).replace('-', '−');
}

const FULL_PRECISION_FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
