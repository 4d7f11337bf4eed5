/** Where a field comes from. */
export type FieldOrigin =
  | { readonly kind: 'column'; readonly column: string }
  /** The day of a date and time. */
  | { readonly kind: 'date'; readonly column: string }
  /** The figure in a text with a currency. */
  | { readonly kind: 'figure'; readonly column: string }
  /** Several columns in one text: `{Month} {Year}`. */
  | { readonly kind: 'template'; readonly template: string }
  | { readonly kind: 'constant'; readonly text: string }
  /** A day above the table, or in the name of the sheet or the file. */
  | { readonly kind: 'day'; readonly in: 'title' | 'sheet' | 'file'; readonly day: string }
  | { readonly kind: 'sheet name' }
  /** The heading above the row, in this column. */
  | { readonly kind: 'section'; readonly column: string }
  /** A percentage within a text: `NCD 9.90%`. */
  | { readonly kind: 'percentage'; readonly column: string }
  /** The name of a column, and the cell below it: of these columns, or of all that are days. */
  | {
      readonly kind: 'across';
      readonly part: 'name' | 'value';
      readonly columns?: readonly string[];
    }
  /** Names above an object of JSON, in code. */
  | { readonly kind: 'keys'; readonly code: string }
  /** A figure as its share of the sum of its list. */
  | { readonly kind: 'share'; readonly column: string }
  /** The sum of a list whose rows are in the file. */
  | { readonly kind: 'list total' }
  /** A choice that the texts of a column stand for; an empty one has to be filled in. */
  | {
      readonly kind: 'choice';
      readonly column: string;
      readonly choices: readonly (readonly [text: string, choice: string])[];
    }
  | { readonly kind: 'missing'; readonly requirement: string };

export interface FieldPlan {
  readonly field: string;
  readonly origin: FieldOrigin;
  /** Why a person should look at it: empty for a guess by name or cells, absent where it is sure. */
  readonly check?: string;
}

/** Whether a field comes from the column of that name. */
export function isUsed(name: string, fields: readonly FieldPlan[]): boolean {
  return fields.some(({ origin }) => {
    if (origin.kind === 'template') return origin.template.includes(`{${name}}`);
    if (origin.kind === 'across') return origin.columns?.includes(name) ?? false;
    return 'column' in origin && origin.column === name;
  });
}

/** Whether a list has shares, or a total, of all its rows. */
export const needsListGroups = (fields: readonly FieldPlan[]) =>
  fields.some(({ origin }) => origin.kind === 'share') || hasListTotal(fields);

export const hasListTotal = (fields: readonly FieldPlan[]) =>
  fields.some(({ origin }) => origin.kind === 'list total');
