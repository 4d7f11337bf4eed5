import type { JsonSchema } from './json-schema.ts';
import type { PeriodKind } from './period.ts';

/** A field of a record: its description and which values are valid. */
export interface Field<T = unknown> {
  readonly kind: FieldKind;
  readonly description: string;
  readonly unit?: string;
  /** Known values with their labels, in the order of the declaration. */
  readonly codes?: Readonly<Record<string, string>>;
  /** How many decimals figures have, if declared. */
  readonly decimals?: number;
  /** Follows "must be" in messages. */
  readonly requirement: string;
  /** The schema of its values, without null. */
  readonly schema: JsonSchema;
  /** Whether null, for unknown, is valid. Files may leave such a field out. */
  readonly isNullable?: true;
  readonly isValid: (value: unknown) => value is T;
  /** Whether it identifies a record: requests may name several, comma-separated. */
  readonly isIdentifier?: true;
  /** Whether it counts things, so that a fraction is suspicious although it is valid. */
  readonly isWhole?: true;
  /** The plausible range, if declared. */
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

/** A field, and the revision that added it; 0 if it always existed. */
export interface AddedField {
  readonly field: string;
  readonly revision: number;
}
