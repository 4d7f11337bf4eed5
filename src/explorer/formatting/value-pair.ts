import { formatDayLabel, formatInstantLabel } from './dates.ts';
import {
  formatFigure,
  formatNumber,
  getDecimals,
  NO_VALUE,
  toDisplayUnit,
  type UnitInfo,
} from './numbers.ts';

/** Two values as texts, without their unit. */
interface FormattedPair {
  readonly old: string;
  readonly new: string;
}

/**
 * As the page writes both, or to the last digit. Where they would look alike, with as many more
 * decimals as tell them apart, but none that a value has not: `100.04` and `100.02`, where one
 * decimal is usual.
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
  const write = isRounded ? formatFigure : formatExact;
  const pair = { old: write(old, field), new: write(later, field) };
  const areAlike = old !== later && pair.old === pair.new;
  return areAlike ? { old: String(old), new: String(later) } : pair;
}

function formatNumberPair(old: number, later: number, field: UnitInfo): FormattedPair {
  const both = [old, later].map((value) => {
    const written = toDisplayUnit(value, field);
    const max = formatFullPrecision(written).split('.')[1]?.length ?? 0;
    return { written, usual: getDecimals(value, field), most: max };
  });
  const end = Math.max(...both.map(({ most }) => most));
  let decimals = Math.max(...both.map(({ usual }) => usual));
  const areAlike = () =>
    new Set(both.map(({ written }) => formatNumber(written, decimals))).size < 2;
  while (decimals < end && areAlike()) decimals++;
  const [was = '', is = ''] = both.map(({ written, usual, most }) =>
    formatNumber(written, Math.max(usual, Math.min(decimals, most))),
  );
  return { old: was, new: is };
}

/** A value to its last digit, without its unit: `11.129927`, `1,204.75`. */
export function formatExact(value: unknown, field: UnitInfo): string {
  if (value === undefined || value === null) return NO_VALUE;
  if (typeof value === 'number') return formatFullPrecision(toDisplayUnit(value, field));
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.kind === 'day') return formatDayLabel(value);
  return field.kind === 'instant' ? formatInstantLabel(value) : value;
}

/** How much more the later value is: `+0.5`, `−1,000`; undefined where they are no numbers. */
export function formatDifference(
  old: unknown,
  later: unknown,
  field: UnitInfo,
): string | undefined {
  if (typeof old !== 'number' || typeof later !== 'number') return undefined;
  // The difference of two decimals has digits that neither has.
  const difference = Number((later - old).toPrecision(12));
  const text = formatFullPrecision(toDisplayUnit(difference, field));
  return difference > 0 ? `+${text}` : text;
}

function formatFullPrecision(value: number): string {
  return FULL_PRECISION_FORMAT.format(value).replace('-', '−');
}

const FULL_PRECISION_FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
