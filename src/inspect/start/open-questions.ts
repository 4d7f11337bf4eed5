import type { Dataset } from '../../catalogue/model/dataset.ts';
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
