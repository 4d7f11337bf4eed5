import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { choice, countOf, percent, text } from '../../catalogue/model/field-builders.ts';
import { PRICING_METHODS } from '../derivation/derive-fields.ts';

/**
 * What a column of a file may hold: a field of the record, or what records are made from. Lists
 * are spread over columns as `list.key`, or over rows as `list:key` and `list:value`.
 */
export interface FieldTargets {
  /** By name; what is optional may be absent from a file. */
  readonly fields: ReadonlyMap<string, FieldTarget>;
  /** Fields that hold lists of keyed values. */
  readonly lists: ReadonlyMap<string, KeyedListFields>;
}

export interface FieldTarget {
  readonly field: Field;
  readonly isOptional: boolean;
}

export interface KeyedListFields {
  readonly key: Field;
  readonly value: Field;
}

/** Columns of a quotes file that are used and kept, but are no part of the record. */
export const TERM_FIELDS = {
  couponRate: percent('Coupon rate, a year'),
  couponFrequency: countOf('coupons a year')('Coupons a year: 1, 2 or 4'),
  pricing: choice('How the security is priced', PRICING_METHODS),
} as const;

/** Fields of quotes that are computed where a file leaves them out. */
const COMPUTED_FIELDS = new Set(['maturityYears', 'ytm', 'duration']);

/** What a file of whole records may hold, by column or by name. */
export function getFieldTargets(dataset: Dataset): FieldTargets {
  const fields = new Map<string, FieldTarget>();
  const lists = new Map<string, KeyedListFields>();
  const isQuotes = dataset.shape === 'quotes';
  for (const [name, field] of Object.entries(dataset.fields)) {
    fields.set(name, { field, isOptional: isQuotes && COMPUTED_FIELDS.has(name) });
    const { key, value } = field.itemFields ?? {};
    if (key && value) lists.set(name, { key, value });
  }
  if (isQuotes) {
    for (const [name, field] of Object.entries(TERM_FIELDS))
      fields.set(name, { field, isOptional: true });
  }
  return { fields, lists };
}

/** The columns of a fund's allocation in rows: one for each class in each period. */
export function getFundRowTargets(dataset: Dataset): FieldTargets {
  const { fund_id, created, modified, frequency, periods, rows } = dataset.fields;
  const own = { created, modified, frequency, date: periods?.itemFields?.date };
  const optional = Object.entries(own).map(
    ([name, field]) => [name, { field: field ?? ANY_TEXT_FIELD, isOptional: true }] as const,
  );
  return {
    fields: new Map<string, FieldTarget>([
      ['fund_id', { field: fund_id ?? ANY_TEXT_FIELD, isOptional: false }],
      ...optional,
      ['period', { field: ANY_TEXT_FIELD, isOptional: true }],
      ['class', { field: rows?.itemFields?.label ?? ANY_TEXT_FIELD, isOptional: false }],
      ['value', { field: percent('Share of assets'), isOptional: false }],
    ]),
    lists: new Map(),
  };
}

const ANY_TEXT_FIELD = text('Text');
