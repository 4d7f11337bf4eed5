import { securities } from '../../catalogue/datasets/securities.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { percent, text } from '../../catalogue/model/field-builders.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { DERIVED_FIELDS } from '../derivation/derive-fields.ts';

/** Columns may hold fields; lists are spread as `list.key`, or as `list:key` and `list:value`. */
export interface FieldTargets {
  readonly fields: ReadonlyMap<string, FieldTarget>;
  readonly lists: ReadonlyMap<string, KeyedListFields>;
}

export interface FieldTarget {
  readonly field: Field;
  readonly isOptional: boolean;
  /** The field that files may have instead. */
  readonly alternative?: string;
  /** Whether a blank cell may be read as 0, although the field is optional. */
  readonly canBeZero?: true;
  /** Whether it is a term of the security of a quote. */
  readonly isTerm?: true;
  /** Whether it is the status of a record, which is not a field. */
  readonly isStatus?: true;
}

export interface KeyedListFields {
  readonly key: Field;
  readonly value: Field;
}

const { couponRate, couponFrequency, pricing, issueDate } = securities.fields;

/** Pricing terms: columns in files of quotes that are published as terms of their securities. */
export const TERM_FIELDS = { couponRate, couponFrequency, pricing, issueDate } as const;

/** The targets of a file with one record in each row or item. */
export function getFieldTargets(dataset: Dataset): FieldTargets {
  const fields = new Map<string, FieldTarget>();
  const lists = new Map<string, KeyedListFields>();
  const isQuotes = dataset.shape === 'quotes';
  const optionalFields: readonly string[] = isQuotes ? DERIVED_FIELDS : [];
  const keyFields = getKeyFields(dataset);
  for (const [name, field] of Object.entries(dataset.fields)) {
    const isOptional = field.isNullable === true || optionalFields.includes(name);
    const alternative = keyFields.includes(name) ? dataset.alternateKey : undefined;
    const canBeZero = isOptional && dataset.declared !== undefined;
    fields.set(name, {
      field,
      isOptional,
      ...(alternative && { alternative }),
      ...(canBeZero && { canBeZero }),
    });
    const { key, value } = field.itemFields ?? {};
    if (key && value) lists.set(name, { key, value });
  }
  if (dataset.shape === 'series')
    fields.set('status', { field: text('Status'), isOptional: true, isStatus: true });
  if (isQuotes)
    for (const [name, field] of Object.entries(TERM_FIELDS))
      fields.set(name, { field, isOptional: true, isTerm: true });
  return { fields, lists };
}

/** The targets of a file with one row for each class of a fund in each period. */
export function getFundRowTargets(dataset: Dataset): FieldTargets {
  const { fund_id, created, modified, frequency, periods, rows } = dataset.fields;
  const optionalFields = { created, modified, frequency, date: periods?.itemFields?.date };
  const optional = Object.entries(optionalFields).map(
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
