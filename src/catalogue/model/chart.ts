/** How a dataset is drawn by default. */
export interface Chart {
  readonly kind: keyof typeof CHART_KINDS;
  /** The fields that are drawn, in this order; a list is drawn by its name. */
  readonly fields: readonly string[];
  /** The field that holds the total; null if there is none. */
  readonly total: string | null;
}

/** The kinds of charts, with a description of their fields. */
export const CHART_KINDS = {
  stacked: 'the fields are components of a total, stacked',
  lines: 'each field is a line',
  shares: "the list's values are shares of 100 %",
  multiples: 'each key of the list has a small chart of its own',
  curve: 'the second field is drawn against the first',
} as const;
