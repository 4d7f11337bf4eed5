import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import {
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';

/** The origin of a field: in the file, a constant, or not found. */
export type FieldOrigin =
  /** A cell as it stands, the day of a date and time, or the figure of a text with a currency. */
  | { readonly kind: 'column' | 'date' | 'figure'; readonly column: string }
  /** Several columns in one text: `{Month} {Year}`. */
  | { readonly kind: 'template'; readonly template: string }
  | { readonly kind: 'constant'; readonly text: string }
  /** A day above the table, or in the name of the sheet or the file. */
  | { readonly kind: 'day'; readonly in: 'title' | 'sheet' | 'file'; readonly day: string }
  | { readonly kind: 'sheet name' }
  /** The heading above the row, in this column. */
  | { readonly kind: 'heading'; readonly column: string }
  /** A percentage within a text: `NCD 9.90%`. */
  | { readonly kind: 'percentage'; readonly column: string }
  /** Names above an object of JSON, in code. */
  | { readonly kind: 'keys'; readonly code: string }
  /** A figure as its share of the sum of its list. */
  | { readonly kind: 'share'; readonly column: string }
  /** A choice that the texts of a column stand for; `?` has to be filled in. */
  | {
      readonly kind: 'choice';
      readonly column: string;
      readonly choices: readonly (readonly [text: string, choice: string])[];
    }
  | { readonly kind: 'missing'; readonly requirement: string };

export interface FieldPlan {
  readonly field: string;
  readonly origin: FieldOrigin;
  /** The reason to look at it: empty for a guess by name or cells, absent where it is sure. */
  readonly check?: string;
}

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

/** A field that a person has to find. */
export function planMissing(
  field: string,
  { kind, description, requirement, unit }: Field,
): FieldPlan {
  const text = kind === 'choice' || kind === 'day' ? requirement : description;
  const inUnit = unit === undefined ? '' : `, in ${unit}`;
  return { field, origin: { kind: 'missing', requirement: `${text}${inUnit}` } };
}

export const findMissing = (fields: readonly FieldPlan[]): string[] =>
  fields.flatMap(({ field, origin }) => (origin.kind === 'missing' ? [field] : []));

/** The columns that a field comes from. */
export function getColumns({ origin }: FieldPlan): string[] {
  if (origin.kind === 'template')
    return [...origin.template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  return 'column' in origin ? [origin.column] : [];
}

/** Whether a field comes from the column of that name. */
export const isUsed = (name: string, fields: readonly FieldPlan[]): boolean =>
  fields.some((plan) => getColumns(plan).includes(name));
