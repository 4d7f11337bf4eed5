import type { JsonSchema } from './json-schema.ts';
import type { PeriodKind } from './period.ts';

/** A field of a record: its description and which values are valid. */
export interface Field<T = unknown> {
  readonly kind: FieldKind;
  readonly description: string;
  readonly unit?: string;
  /** The text after "must be". */
  readonly requirement: string;
  /** Of its values; null is besides, where it is nullable. */
  readonly schema: JsonSchema;
  /** Whether null is valid: the value is unknown. Files may leave such a field out. */
  readonly isNullable?: true;
  readonly isValid: (value: unknown) => value is T;
  /** Whether it identifies a record: requests name it, several with commas between them. */
  readonly isIdentifier?: true;
  /** Whether it counts things, so that a fraction is odd although it is valid. */
  readonly isWhole?: true;
  /** The plausible figures, where they are declared. */
  readonly bounds?: readonly [min: number, max: number];
  /** Present on lists: the fields of each element, in wire order. */
  readonly itemFields?: Fields;
  /** Present on periods: how a label becomes an ordinal. */
  readonly periodKind?: PeriodKind;
}

const NUMBER_KINDS = ['price', 'percent', 'years', 'amount', 'count', 'share'] as const;

export type FieldKind =
  | (typeof NUMBER_KINDS)[number]
  | ('numbers' | 'day' | 'instant' | 'text' | 'choice' | 'flag' | 'period' | 'list' | 'json');

/** Whether a field holds one number. */
export function isNumberField({ kind }: { readonly kind: string }): boolean {
  return NUMBER_KINDS.some((name) => name === kind);
}

export type Fields = Readonly<Record<string, Field>>;

export type RecordOfFields<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** An element of the specification's lists of provinces and operators. */
export interface KeyedValue {
  readonly key: string;
  readonly value: number;
}

/** A field, and the revision that added it; 0 where it was there from the first. */
export interface AddedField {
  readonly field: string;
  readonly revision: number;
}
