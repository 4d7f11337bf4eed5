/** Where a field comes from. */
export type FieldOrigin =
  | { readonly kind: 'column'; readonly column: string }
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
  /** The name of a column, and the cell below it, where days are across the columns. */
  | { readonly kind: 'across'; readonly part: 'name' | 'value' }
  | { readonly kind: 'missing'; readonly requirement: string };

export interface FieldPlan {
  readonly field: string;
  readonly origin: FieldOrigin;
  /** Why a person should look at it: empty for a guess by name or cells, absent where it is sure. */
  readonly check?: string;
}
