/**
 * How a dataset is drawn where nobody chose otherwise. With the fields beside it, a page needs no
 * more than this to draw a dataset that it has never heard of.
 */
export interface Chart<Name extends string = string> {
  readonly kind: ChartKind;
  /** The fields that are drawn, in this order; of a list its name. */
  readonly fields: readonly Name[];
  /** The field that holds the whole; null where there is none. */
  readonly total: Name | null;
}

/** Every kind of chart there is, by its stable name: what it says of its fields. */
export const CHART_KINDS = {
  stacked: 'the fields are parts of a whole, one upon the other',
  lines: 'each field is a line',
  shares: "the list's values are parts of 100 %",
  multiples: 'each key of the list has a small chart of its own',
  curve: 'the second field is drawn against the first',
} as const;

export type ChartKind = keyof typeof CHART_KINDS;

/** Parts, one upon the other, and the field that says what they make, where there is one. */
export const stackedChart = <const Name extends string>(
  parts: readonly Name[],
  total: Name | null,
): Chart<Name> => ({ kind: 'stacked', fields: parts, total });

/** Figures that do not make up a whole. */
export const lineChart = <const Name extends string>(fields: readonly Name[]): Chart<Name> => ({
  kind: 'lines',
  fields,
  total: null,
});

/** A list whose values make up 100 %. */
export const shareChart = <const Name extends string>(list: Name): Chart<Name> => ({
  kind: 'shares',
  fields: [list],
  total: null,
});

/** A list with a small chart for each key, and the field that holds the whole they are part of. */
export const smallMultiplesChart = <const Name extends string>(
  list: Name,
  total: Name,
): Chart<Name> => ({
  kind: 'multiples',
  fields: [list],
  total,
});

/** All records of a date as points: how far along, how high. */
export const curveChart = <const Name extends string>(along: Name, height: Name): Chart<Name> => ({
  kind: 'curve',
  fields: [along, height],
  total: null,
});
