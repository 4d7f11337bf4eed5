import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldPlan } from './field-plan.ts';

export function askAboutColumns(used: readonly ColumnProfile[], { name }: Dataset): string[] {
  return used.length > 0 ? [] : [`columns: none looks like a field of ${name}`];
}

/** Durations, and yields that are not given, are computed from prices and coupons. */
export function askAboutCoupons({ shape }: Dataset, fields: readonly FieldPlan[]): string[] {
  const has = (name: string) => fields.some(({ field }) => field === name);
  if (shape !== 'quotes' || has('couponRate') || (has('ytm') && has('duration'))) return [];
  return [
    'couponRate: no column has coupons; give it, or pricing, or "uncomputable": "zero", unless all are bills or their terms are loaded',
  ];
}

/** Prices are per 100 of face value: others have to be scaled. */
export function askAboutScale(
  columns: readonly ColumnProfile[],
  fields: readonly FieldPlan[],
): string[] {
  const prices = fields.filter(({ field }) => /Price$/.test(field));
  const large = columns.filter(
    ({ name, max }) =>
      max !== undefined &&
      max > 400 &&
      prices.some(({ origin }) => origin.kind === 'column' && origin.column === name),
  );
  return large.map(
    ({ name, max }) => `scale: prices are per 100 of face value, and ${name} has up to ${max}`,
  );
}

const PERCENT_FIELDS = new Set(['ytm', 'couponRate', 'value']);

/** More than any class has of a fund, in percent, even where it has borrowed. */
const MAX_SHARE = 1_000;

/** Percentages are 13.5, not 0.135. */
export function askAboutFractions(
  columns: readonly ColumnProfile[],
  fields: readonly FieldPlan[],
): string[] {
  const percentages = fields.filter(({ field }) => PERCENT_FIELDS.has(field));
  return percentages.flatMap(({ field, origin }) => {
    const column = columns.find(({ name }) => 'column' in origin && origin.column === name);
    if (column?.max === undefined || column.max <= 0) return [];
    if (field === 'value' && column.max > MAX_SHARE)
      return [
        `shares: value is in percent, and ${column.name} has up to ${column.max}; sharesOfTotal in an adapter divides amounts`,
      ];
    if (column.max > 1) return [];
    return [`scale: ${field} is in percent, and ${column.name} has no more than ${column.max}`];
  });
}

/** A unit with some words around it. */
const UNIT =
  /.{0,25}(?:\b(?:thousands?|lakhs?|lacs?|crores?|millions?|billions?|trillions?|mn|bn)\b|'000).{0,10}/i;

/** A unit that the file names, beside those of a series. */
export function askAboutUnits(sheet: SheetProfile, { fields, period }: Dataset): string[] {
  const names = sheet.columns.map(({ name }) => name);
  const texts = [...sheet.titles.map(({ text }) => text), ...names];
  const [found] = texts.flatMap((text) => UNIT.exec(text)?.[0] ?? []);
  const units = new Set(Object.values(fields).flatMap(({ unit }) => unit ?? []));
  if (!period || found === undefined || units.size === 0) return [];
  const own = [...units].join(', ');
  return [`scale: the file says ${JSON.stringify(found.trim())}, and the dataset is in ${own}`];
}

/** A row that is a sum itself would be counted twice. */
export const askAboutSums = (hasSums: boolean): string[] =>
  hasSums ? ['rows: those of one record are added up; leave out any that are sums themselves'] : [];
