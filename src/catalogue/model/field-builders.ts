import { isDay } from '../../shared/calendar.ts';
import { findControlCharacter } from '../../shared/control-characters.ts';
import { formatNames } from '../../shared/format-names.ts';
import type { Field, FieldKind, Fields, KeyedValue, RecordOfFields } from './field.ts';
import { ISO_DATE_TIME_PATTERN, isIsoDateTime } from './iso-date-time.ts';
import { fieldsSchema } from './json-schema.ts';
import type { PeriodKind } from './period.ts';

export const price = (description: string) =>
  numberField('price', description, 'per 100 of face value');

export const percent = (description: string) => numberField('percent', description, 'percent');

export const years = (description: string) => numberField('years', description, 'years');

/** A fraction of one: 0.3 means 30 %. */
export const share = (description: string) => numberField('share', description, 'fraction');

/** Amounts in one unit: `const faceValue = amountIn('face value')`. */
export const amountIn = (unit: string) => (description: string) =>
  numberField('amount', description, unit);

/** Counts: `const accounts = countOf('accounts')`. */
export const countOf =
  (unit: string) =>
  (description: string): Field<number> => ({
    kind: 'count',
    description,
    unit,
    requirement: 'a whole number within ±(2^53 − 1)',
    schema: { type: 'integer' },
    isValid: (value): value is number => Number.isSafeInteger(value),
  });

/** A row of numbers, one per period of the record. */
export const numberList = (description: string, unit: string): Field<readonly number[]> => ({
  kind: 'numbers',
  description,
  unit,
  requirement: 'a list of finite numbers',
  schema: { type: 'array', items: { type: 'number' } },
  isValid: (value): value is readonly number[] =>
    Array.isArray(value) && value.every(isExactNumber),
});

export const day = (description: string): Field<string> => ({
  kind: 'day',
  description,
  requirement: 'a calendar day as YYYY-MM-DD',
  schema: { type: 'string', format: 'date' },
  isValid: (value): value is string => typeof value === 'string' && isDay(value),
});

/** A date and time in any format of ISO 8601, with or without an offset; kept as given. */
export const instant = (description: string): Field<string> => ({
  kind: 'instant',
  description,
  requirement: 'an ISO 8601 date and time such as 2026-06-30T12:00:00Z or 20260630T1200',
  // Not the format date-time, which is RFC 3339, a subset of ISO 8601.
  schema: { type: 'string', pattern: ISO_DATE_TIME_PATTERN.source },
  isValid: (value): value is string => typeof value === 'string' && isIsoDateTime(value),
});

/** Text that is not blank, without surrounding space or control and invisible characters. */
export const text = (description: string): Field<string> => ({
  kind: 'text',
  description,
  requirement:
    'text that is not blank, without space around it, and without control, bidirectional and invisible characters',
  schema: { type: 'string', minLength: 1 },
  isValid: (value): value is string =>
    typeof value === 'string' &&
    value !== '' &&
    value.trim() === value &&
    value.isWellFormed() &&
    !findControlCharacter(value),
});

/** Text that identifies a record; its length is limited because it is indexed. */
export const identifier = (description: string): Field<string> => {
  const { isValid, requirement, schema, ...field } = text(description);
  return {
    ...field,
    isIdentifier: true,
    requirement: `${requirement}, of at most ${MAX_IDENTIFIER_LENGTH} characters`,
    schema: { ...schema, maxLength: MAX_IDENTIFIER_LENGTH },
    // Characters outside the basic plane have two units, so `length` may exceed the limit.
    isValid: (value): value is string =>
      isValid(value) &&
      (value.length <= MAX_IDENTIFIER_LENGTH || [...value].length <= MAX_IDENTIFIER_LENGTH),
  };
};

export const MAX_IDENTIFIER_LENGTH = 200;

export const choice = <const Choice extends string>(
  description: string,
  choices: readonly Choice[],
): Field<Choice> => ({
  kind: 'choice',
  description,
  requirement: `one of ${formatNames(choices)}`,
  schema: { type: 'string', enum: choices },
  // A declaration may have thousands of codes.
  isValid: Set.prototype.has.bind(new Set<unknown>(choices)) as Field<Choice>['isValid'],
});

export const flag = (description: string): Field<boolean> => ({
  kind: 'flag',
  description,
  requirement: 'true or false',
  schema: { type: 'boolean' },
  isValid: (value): value is boolean => typeof value === 'boolean',
});

/** The same field with null as a valid value, for unknown ones. */
export const nullable = <T>({ isValid, ...field }: Field<T>): Field<T | null> => ({
  ...field,
  isNullable: true,
  isValid: (value): value is T | null => value === null || isValid(value),
});

/** The label of a year, quarter or month, which determines its ordinal. */
export const period = (kind: PeriodKind, description: string): Field<string> => ({
  kind: 'period',
  description,
  requirement: kind.requirement,
  schema: kind.hasDayLabels
    ? { type: 'string', format: 'date' }
    : { type: 'string', pattern: kind.pattern.source },
  isValid: (value): value is string =>
    typeof value === 'string' && kind.toOrdinal(value) !== undefined,
  periodKind: kind,
});

export const listOf = <const F extends Fields>(
  description: string,
  itemFields: F,
): Field<readonly RecordOfFields<F>[]> => ({
  kind: 'list',
  description,
  requirement: `a list of objects with exactly ${Object.keys(itemFields).join(', ')}`,
  schema: { type: 'array', items: fieldsSchema(itemFields) },
  isValid: (value): value is readonly RecordOfFields<F>[] =>
    Array.isArray(value) && value.every((item) => hasExactFields(item, itemFields)),
  itemFields,
});

/** A list of `{key, value}`, as in the specification's provinces and operators. */
export const keyedList = (
  description: string,
  key: string,
  value: Field<number>,
): Field<readonly KeyedValue[]> => {
  const list = listOf(description, { key: text(key), value });
  return {
    ...list,
    requirement: `${list.requirement}, each key once`,
    isValid: (items): items is readonly KeyedValue[] =>
      list.isValid(items) && new Set(items.map((item) => item.key)).size === items.length,
  };
};

/** Whether the value is an object with exactly these fields, all valid. */
function hasExactFields(value: unknown, fields: Fields): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(fields);
  const record = value as Record<string, unknown>;
  return (
    Object.keys(record).length === names.length &&
    names.every((name) => fields[name]?.isValid(record[name]))
  );
}

function numberField(kind: FieldKind, description: string, unit: string): Field<number> {
  return {
    kind,
    description,
    unit,
    requirement: 'a finite number; a whole one within ±(2^53 − 1)',
    schema: { type: 'number' },
    isValid: isExactNumber,
  };
}

/** Beyond 2^53, doubles cannot represent every integer. */
function isExactNumber(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
