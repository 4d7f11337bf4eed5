import { isDay } from '../../calendar.ts';
import type { PeriodKind } from './period.ts';

/** A field of a record: what it means, and what a value of it must be. */
export interface Field<T = unknown> {
  readonly kind: FieldKind;
  readonly description: string;
  readonly unit?: string;
  /** What a value must be, in words that follow "must be". */
  readonly requirement: string;
  readonly schema: JsonSchema;
  readonly isValid: (value: unknown) => value is T;
  /** Present on lists: the fields of each element, in wire order. */
  readonly itemFields?: Fields;
  /** Present on periods: how a label is placed in time. */
  readonly periodKind?: PeriodKind;
}

export type FieldKind =
  | 'price'
  | 'percent'
  | 'years'
  | 'amount'
  | 'count'
  | 'share'
  | 'numbers'
  | 'day'
  | 'instant'
  | 'text'
  | 'choice'
  | 'period'
  | 'list';

export type Fields = Readonly<Record<string, Field>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The record type that follows from its fields. */
export type RecordOfFields<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** A price per 100 of face value. */
export const price = (meaning: string) => numberField('price', meaning, 'per 100 of face value');

/** A yield or rate, in percent. */
export const percent = (meaning: string) => numberField('percent', meaning, 'percent');

/** A length of time, in years. */
export const years = (meaning: string) => numberField('years', meaning, 'years');

/** A fraction of one: 0.3 means 30 %. */
export const share = (meaning: string) => numberField('share', meaning, 'fraction');

/** Amounts in one unit: `const million = amountIn('million transactions')`. */
export const amountIn = (unit: string) => (meaning: string) => numberField('amount', meaning, unit);

/** Whole things, counted: `const accounts = countOf('accounts')`. */
export const countOf =
  (unit: string) =>
  (meaning: string): Field<number> => ({
    kind: 'count',
    description: meaning,
    unit,
    requirement: 'a whole number within ±(2^53 − 1)',
    schema: { type: 'integer' },
    isValid: (value): value is number => Number.isSafeInteger(value),
  });

/** A row of numbers, one for each period of the record. */
export const numberList = (meaning: string, unit: string): Field<readonly number[]> => ({
  kind: 'numbers',
  description: meaning,
  unit,
  requirement: 'a list of finite numbers',
  schema: { type: 'array', items: { type: 'number' } },
  isValid: (value): value is readonly number[] =>
    Array.isArray(value) && value.every(isExactNumber),
});

/** A calendar day. */
export const day = (meaning: string): Field<string> => ({
  kind: 'day',
  description: meaning,
  requirement: 'a calendar day as YYYY-MM-DD',
  schema: { type: 'string', format: 'date' },
  isValid: (value): value is string => typeof value === 'string' && isDay(value),
});

const INSTANT_PATTERN =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** An instant, with its offset from UTC. */
export const instant = (meaning: string): Field<string> => ({
  kind: 'instant',
  description: meaning,
  requirement: 'an ISO 8601 instant such as 2026-06-30T12:00:00Z',
  schema: { type: 'string', format: 'date-time' },
  isValid: (value): value is string => {
    const date = typeof value === 'string' ? INSTANT_PATTERN.exec(value)?.[1] : undefined;
    return date !== undefined && isDay(date);
  },
});

/** Text that is not blank, with no space around it and no control character in it. */
export const text = (meaning: string): Field<string> => ({
  kind: 'text',
  description: meaning,
  requirement: 'text that is not blank, without space around it and control characters',
  schema: { type: 'string', minLength: 1 },
  isValid: (value): value is string =>
    typeof value === 'string' &&
    value !== '' &&
    value.trim() === value &&
    value.isWellFormed() &&
    !CONTROL_CHARACTER.test(value),
});

/** Text that records are told apart by: an index holds it, so that it has an end. */
export const identifier = (meaning: string): Field<string> => {
  const { isValid, ...plain } = text(meaning);
  return {
    ...plain,
    requirement: `${plain.requirement}, of at most ${MAX_IDENTIFIER_LENGTH} characters`,
    schema: { ...plain.schema, maxLength: MAX_IDENTIFIER_LENGTH },
    // Characters beyond the first plane take two units, so that a longer text may be short enough.
    isValid: (value): value is string =>
      isValid(value) &&
      (value.length <= MAX_IDENTIFIER_LENGTH || [...value].length <= MAX_IDENTIFIER_LENGTH),
  };
};

const MAX_IDENTIFIER_LENGTH = 200;

/** One of a few words. */
export const choice = <const Word extends string>(
  meaning: string,
  words: readonly Word[],
): Field<Word> => ({
  kind: 'choice',
  description: meaning,
  requirement: `one of ${words.join(', ')}`,
  schema: { type: 'string', enum: words },
  isValid: (value): value is Word => words.includes(value as Word),
});

/** The label of a year, quarter or month; its place in time comes from the label. */
export const period = (kind: PeriodKind, meaning: string): Field<string> => ({
  kind: 'period',
  description: meaning,
  requirement: kind.requirement,
  schema: { type: 'string', pattern: kind.pattern.source },
  isValid: (value): value is string =>
    typeof value === 'string' && kind.toOrdinal(value) !== undefined,
  periodKind: kind,
});

/** A list of objects with fields of their own. */
export const listOf = <const F extends Fields>(
  meaning: string,
  of: F,
): Field<readonly RecordOfFields<F>[]> => ({
  kind: 'list',
  description: meaning,
  requirement: `a list of objects with exactly ${Object.keys(of).join(', ')}`,
  schema: { type: 'array', items: buildObjectSchema(of) },
  isValid: (value): value is readonly RecordOfFields<F>[] =>
    Array.isArray(value) && value.every((item) => hasExactFields(item, of)),
  itemFields: of,
});

/** A list of `{key, value}`, as in the specification's provinces and operators. */
export const keyedList = (
  meaning: string,
  key: string,
  value: Field<number>,
): Field<readonly KeyedValue[]> => {
  const list = listOf(meaning, { key: text(key), value });
  return {
    ...list,
    requirement: `${list.requirement}, each key once`,
    isValid: (items): items is readonly KeyedValue[] =>
      list.isValid(items) && new Set(items.map((item) => item.key)).size === items.length,
  };
};

export interface KeyedValue {
  readonly key: string;
  readonly value: number;
}

/** The JSON Schema of an object with exactly these fields. */
export function buildObjectSchema(fields: Fields): JsonSchema {
  const properties = Object.entries(fields).map(([name, field]) => [name, withDescription(field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

/** Whether the value is an object with exactly these fields, each of them right. */
function hasExactFields(value: unknown, fields: Fields): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(fields);
  const record = value as Record<string, unknown>;
  return (
    Object.keys(record).length === names.length &&
    names.every((name) => fields[name]?.isValid(record[name]))
  );
}

function withDescription(field: Field): JsonSchema {
  const description =
    field.unit === undefined ? field.description : `${field.description} (${field.unit})`;
  return { ...field.schema, description };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

function numberField(kind: FieldKind, meaning: string, unit: string): Field<number> {
  return {
    kind,
    description: meaning,
    unit,
    requirement: 'a finite number; a whole one within ±(2^53 − 1)',
    schema: { type: 'number' },
    isValid: isExactNumber,
  };
}

/** Beyond 2^53 a double no longer tells neighbouring whole numbers apart. */
function isExactNumber(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
