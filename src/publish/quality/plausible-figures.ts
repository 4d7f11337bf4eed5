import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { NO_WARNINGS, PLAUSIBLE_BOUNDS, type Warning } from './warning-rules.ts';

type Warn = (warning: Warning) => void;
type Bounds = readonly [min: number, max: number];

/** Warns of figures of a quote. Files have millions: nearly all pass by the first test. */
export function findQuoteFigureWarnings(quote: Quote): readonly Warning[] {
  if (isUsual(quote)) return NO_WARNINGS;
  const warnings: Warning[] = [];
  checkQuote(quote, (warning) => warnings.push(warning));
  return warnings;
}

/** Checks the figures of a valid record of a dataset other than quotes. */
export function createFigureCheck(dataset: Dataset): (record: AnyRecord, warn: Warn) => void {
  const checks = Object.entries(dataset.fields).flatMap(([name, field]) => {
    const check = createFieldCheck(name, field);
    return check ? [check] : [];
  });
  return (record, warn) => {
    for (const check of checks) check(record, warn);
  };
}

/** Whether a dataset has figures with bounds. */
export function hasBoundedFigures({ shape, fields }: Dataset): boolean {
  return (
    shape === 'quotes' ||
    Object.entries(fields).some(([name, field]) =>
      includesSelfOrItems(field, (one) => findBounds(name, one) !== undefined),
    )
  );
}

/** Whether a dataset has figures that cannot be negative. */
export function hasNonNegativeFigures({ shape, fields }: Dataset): boolean {
  return (
    shape === 'quotes' ||
    (shape === 'series' &&
      Object.values(fields).some((field) => includesSelfOrItems(field, isSize)))
  );
}

/** Warns of a coupon rate that came with a quote. */
export function findImplausibleCoupon(couponRate: number | undefined): Warning | undefined {
  const bounds = PLAUSIBLE_BOUNDS.couponRate;
  if (couponRate === undefined || isWithin(couponRate, bounds)) return undefined;
  return createBoundsWarning('couponRate', couponRate, bounds);
}

const PRICE_FIELDS = ['bidPrice', 'askPrice', 'lastPrice'] as const;
const YEARS_FIELDS = ['duration', 'maturityYears'] as const;
const NON_NEGATIVE_FIELDS = [
  ...PRICE_FIELDS,
  'bidVolume',
  'askVolume',
  'volume',
  'duration',
] as const;

const [MIN_PRICE, MAX_PRICE] = PLAUSIBLE_BOUNDS.price;
const [MIN_YTM, MAX_YTM] = PLAUSIBLE_BOUNDS.ytm;
const [, MAX_DURATION] = PLAUSIBLE_BOUNDS.duration;
const [, MAX_YEARS] = PLAUSIBLE_BOUNDS.maturityYears;

function isUsual(quote: Quote): boolean {
  return (
    isUsualPrice(quote.bidPrice) &&
    isUsualPrice(quote.askPrice) &&
    isUsualPrice(quote.lastPrice) &&
    quote.ytm >= MIN_YTM &&
    quote.ytm <= MAX_YTM &&
    quote.duration >= 0 &&
    quote.duration <= MAX_DURATION &&
    quote.maturityYears <= MAX_YEARS &&
    quote.bidVolume >= 0 &&
    quote.askVolume >= 0 &&
    quote.volume >= 0
  );
}

function isUsualPrice(price: number): boolean {
  return price === 0 || (price >= MIN_PRICE && price <= MAX_PRICE);
}

function checkQuote(quote: Quote, warn: Warn): void {
  for (const field of NON_NEGATIVE_FIELDS) {
    const value = quote[field];
    if (value < 0) warn(createNegativeWarning(field, value));
  }
  for (const field of PRICE_FIELDS) {
    const value = quote[field];
    // 0 means no order.
    if (value > 0 && !isWithin(value, PLAUSIBLE_BOUNDS.price))
      warn(createBoundsWarning(field, value, PLAUSIBLE_BOUNDS.price));
  }
  for (const field of YEARS_FIELDS) {
    const value = quote[field];
    if (value > PLAUSIBLE_BOUNDS[field][1])
      warn(createBoundsWarning(field, value, PLAUSIBLE_BOUNDS[field]));
  }
  if (!isWithin(quote.ytm, PLAUSIBLE_BOUNDS.ytm))
    warn(createBoundsWarning('ytm', quote.ytm, PLAUSIBLE_BOUNDS.ytm));
}

/** The check of one field, its list or its row of numbers; undefined where it has no bounds. */
function createFieldCheck(name: string, field: Field) {
  const checkValue = createValueCheck(name, field);
  if (checkValue)
    return (record: AnyRecord, warn: Warn) => checkValue(record[name] as number, '', warn);
  const checks = Object.entries(field.itemFields ?? {}).flatMap(([itemName, itemField]) => {
    const check = createValueCheck(name, itemField);
    return check ? [[itemName, check] as const] : [];
  });
  if (checks.length === 0) return undefined;
  return (record: AnyRecord, warn: Warn) => {
    for (const item of record[name] as readonly AnyRecord[]) {
      for (const [itemName, check] of checks) {
        const key = ` of ${item.key ?? item.label}`;
        for (const value of [item[itemName]].flat()) check(value as number, key, warn);
      }
    }
  };
}

function createValueCheck(name: string, field: Field) {
  const bounds = findBounds(name, field);
  if (!bounds && !isSize(field)) return undefined;
  return (value: number | null, key: string, warn: Warn) => {
    if (value === null) return;
    if (bounds && !isWithin(value, bounds)) warn(createBoundsWarning(name, value, bounds, key));
    else if (!bounds && value < 0) warn(createNegativeWarning(name, value, key));
  };
}

function findBounds(name: string, { kind, unit }: Field): Bounds | undefined {
  if (kind === 'share') return PLAUSIBLE_BOUNDS.share;
  if (kind === 'numbers' && unit === 'percent') return PLAUSIBLE_BOUNDS.percentOfTotal;
  return name === 'couponRate' ? PLAUSIBLE_BOUNDS.couponRate : undefined;
}

function isSize({ kind }: Field): boolean {
  return kind === 'amount' || kind === 'count';
}

function includesSelfOrItems(field: Field, matches: (field: Field) => boolean): boolean {
  return matches(field) || Object.values(field.itemFields ?? {}).some(matches);
}

function isWithin(value: number, [min, max]: Bounds): boolean {
  return value >= min && value <= max;
}

function createBoundsWarning(field: string, value: number, [min, max]: Bounds, key = ''): Warning {
  const text = `${field}${key} ${value} is not between ${min} and ${max}`;
  return { rule: 'implausible-figure', field, value, text };
}

function createNegativeWarning(field: string, value: number, key = ''): Warning {
  return { rule: 'negative-figure', field, value, text: `${field}${key} ${value} is below 0` };
}
