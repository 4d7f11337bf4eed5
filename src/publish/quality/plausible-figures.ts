import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { memoize } from '../../shared/memoize.ts';
import { NO_WARNINGS, PLAUSIBLE_BOUNDS, type Warning } from './warning-rules.ts';

type Bounds = readonly [min: number, max: number];

/** Warns about figures of a quote. Files have millions, and nearly all are plausible. */
export function findQuoteFigureWarnings(quote: Quote): readonly Warning[] {
  let warnings = NO_WARNINGS;
  for (const field of NON_NEGATIVE_FIELDS)
    if (quote[field] < 0) warnings = [...warnings, createNegativeWarning(field, quote[field])];
  for (const [field, bounds] of BOUNDED_FIELDS) {
    const value = quote[field];
    // For figures other than yields, 0 means none, and negative figures have a rule of their own.
    if ((value > 0 || field === 'ytm') && !isWithin(value, bounds))
      warnings = [...warnings, createBoundsWarning(field, value, bounds)];
  }
  return warnings;
}

/** Warns about figures of a valid record of a dataset other than quotes. */
export function findFigureWarnings(dataset: Dataset, record: AnyRecord): readonly Warning[] {
  let warnings = NO_WARNINGS;
  for (const { name, itemName, bounds, isSize, isWhole } of listCheckedFigures(dataset)) {
    const items = itemName === undefined ? [record] : (record[name] as readonly AnyRecord[]);
    for (const item of items) {
      const key = itemName === undefined ? '' : ` of ${item.key ?? item.label}`;
      for (const value of [item[itemName ?? name]].flat() as (number | null)[]) {
        if (value === null) continue;
        if (isWhole && !Number.isInteger(value)) {
          const text = `${name}${key} ${value} is no whole number`;
          warnings = [...warnings, { rule: 'fractional-count', field: name, value, text }];
        }
        if (bounds ? isWithin(value, bounds) : !isSize || value >= 0) continue;
        const warning = bounds
          ? createBoundsWarning(name, value, bounds, key)
          : createNegativeWarning(name, value, key);
        warnings = [...warnings, warning];
      }
    }
  }
  return warnings;
}

/** The rules about figures that can warn about a dataset. */
export function findFigureRules(dataset: Dataset) {
  const isQuotes = dataset.shape === 'quotes';
  const figures = listCheckedFigures(dataset);
  const hasSizes =
    dataset.shape === 'series' && figures.some(({ bounds, isSize }) => !bounds && isSize);
  return {
    'negative-figure': isQuotes || hasSizes,
    'implausible-figure': isQuotes || figures.some(({ bounds }) => bounds),
    'fractional-count': figures.some(({ isWhole }) => isWhole),
  };
}

const MAX_CACHED_DATASETS = 100;

/** The figures that have bounds or cannot be negative, including those in lists. */
const listCheckedFigures = memoize(MAX_CACHED_DATASETS, ({ fields, declared }: Dataset) =>
  Object.entries(fields).flatMap(([name, field]) => {
    const figures = [[undefined, field] as const, ...Object.entries(field.itemFields ?? {})];
    return figures.flatMap(([itemName, figure]) => {
      const bounds = findBounds(name, figure);
      // Declared balances and changes may be negative, unless the publisher declares bounds.
      const isSize = !declared && (figure.kind === 'amount' || figure.kind === 'count');
      const { isWhole = false } = figure;
      return bounds || isSize || isWhole ? [{ name, itemName, bounds, isSize, isWhole }] : [];
    });
  }),
);

function findBounds(name: string, { kind, unit, bounds }: Field): Bounds | undefined {
  if (bounds) return bounds;
  if (kind === 'share') return PLAUSIBLE_BOUNDS.share;
  if (kind === 'numbers' && unit === 'percent') return PLAUSIBLE_BOUNDS.percentOfTotal;
  return name === 'couponRate' ? PLAUSIBLE_BOUNDS.couponRate : undefined;
}

/** Warns about a coupon rate that came with a quote. */
export function findImplausibleCoupon(couponRate: number | undefined): Warning | undefined {
  const bounds = PLAUSIBLE_BOUNDS.couponRate;
  if (couponRate === undefined || isWithin(couponRate, bounds)) return undefined;
  return createBoundsWarning('couponRate', couponRate, bounds);
}

export const PRICE_FIELDS = ['bidPrice', 'askPrice', 'lastPrice'] as const;
export const VOLUME_FIELDS = ['bidVolume', 'askVolume', 'volume'] as const;
const NON_NEGATIVE_FIELDS = [...PRICE_FIELDS, ...VOLUME_FIELDS, 'duration'] as const;
const BOUNDED_FIELDS = [
  ...PRICE_FIELDS.map((field) => [field, PLAUSIBLE_BOUNDS.price] as const),
  ['duration', PLAUSIBLE_BOUNDS.duration],
  ['maturityYears', PLAUSIBLE_BOUNDS.maturityYears],
  ['ytm', PLAUSIBLE_BOUNDS.ytm],
] as const;

function isWithin(value: number, [min, max]: Bounds): boolean {
  return value >= min && value <= max;
}

function createBoundsWarning(field: string, value: number, [min, max]: Bounds, key = ''): Warning {
  const range =
    min === -Infinity
      ? `at most ${max}`
      : max === Infinity
        ? `at least ${min}`
        : `between ${min} and ${max}`;
  const text = `${field}${key} ${value} is not ${range}`;
  return { rule: 'implausible-figure', field, value, text };
}

function createNegativeWarning(field: string, value: number, key = ''): Warning {
  return { rule: 'negative-figure', field, value, text: `${field}${key} ${value} is below 0` };
}
