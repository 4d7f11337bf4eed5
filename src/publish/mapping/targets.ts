import type { Dataset } from '../../catalogue/dataset.ts';
import type { Field } from '../../catalogue/field.ts';
import { choice, countOf, percent, text } from '../../catalogue/field.ts';
import { PRICINGS } from '../derivation/index.ts';

/**
 * What a column of a file may hold: a field of the record, or what records are made from. Lists
 * are spread over columns as `list.key`, or over rows as `list:key` and `list:value`.
 */
export interface Targets {
  /** By name; what is optional may be absent from a file. */
  readonly fields: ReadonlyMap<string, Target>;
  /** Fields that hold lists of keyed values. */
  readonly lists: ReadonlyMap<string, KeyedList>;
}

export interface Target {
  readonly field: Field;
  readonly optional: boolean;
}

export interface KeyedList {
  readonly key: Field;
  readonly value: Field;
}

/** Columns of a quotes file that are used and kept, but are no part of the record. */
export const TERMS = {
  couponRate: percent('Coupon rate, a year'),
  couponFrequency: countOf('coupons a year')('Coupons a year: 1, 2 or 4'),
  pricing: choice('How the security is priced', PRICINGS),
} as const;

/** Fields of quotes that are computed where a file leaves them out. */
const COMPUTED = new Set(['maturityYears', 'ytm', 'duration']);

/** What a file of whole records may hold, by column or by name. */
export function targetsOf(dataset: Dataset): Targets {
  const fields = new Map<string, Target>();
  const lists = new Map<string, KeyedList>();
  const isQuotes = dataset.shape === 'quotes';
  for (const [name, field] of Object.entries(dataset.fields)) {
    fields.set(name, { field, optional: isQuotes && COMPUTED.has(name) });
    const { key, value } = field.of ?? {};
    if (key && value) lists.set(name, { key, value });
  }
  if (isQuotes) {
    for (const [name, field] of Object.entries(TERMS)) fields.set(name, { field, optional: true });
  }
  return { fields, lists };
}

/** The columns of a fund's allocation in rows: one for each class in each period. */
export function longFundTargets(dataset: Dataset): Targets {
  const { fund_id, created, modified, frequency, periods, rows } = dataset.fields;
  const own = { created, modified, frequency, date: periods?.of?.date };
  const optional = Object.entries(own).map(
    ([name, field]) => [name, { field: field ?? anything, optional: true }] as const,
  );
  return {
    fields: new Map<string, Target>([
      ['fund_id', { field: fund_id ?? anything, optional: false }],
      ...optional,
      ['period', { field: anything, optional: true }],
      ['class', { field: rows?.of?.label ?? anything, optional: false }],
      ['value', { field: percent('Share of assets'), optional: false }],
    ]),
    lists: new Map(),
  };
}

const anything = text('Text');
