/** All values of one metric: plain data, so that it can be sent between processes. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes are merged. */
  readonly merge: MergeRule;
  /** The upper bounds of a histogram's buckets, ascending; the last bucket has none. */
  readonly bounds?: readonly number[];
  readonly samples: readonly MetricSample[];
}

export type MergeRule = 'sum' | 'min' | 'max';

export interface MetricSample {
  readonly labels: MetricLabels;
  /** One value; for a histogram, the count of each bucket, not cumulative, followed by the sum. */
  readonly values: readonly number[];
}

export type MetricLabels = Readonly<Record<string, string>>;

/** A value with its labels, or the only one of its metric. */
export type SampleInput = number | readonly (readonly [labels: MetricLabels, value: number])[];

/** A metric of one value, or of one for each set of labels; a counter has a name that ends in `_total`. */
export function buildFamily(
  description: Pick<MetricFamily, 'name' | 'help' | 'merge'>,
  values: SampleInput,
): MetricFamily {
  const entries = typeof values === 'number' ? [[{}, values] as const] : values;
  const samples = entries.map(([labels, value]) => ({ labels, values: [value] }));
  return {
    ...description,
    type: description.name.endsWith('_total') ? 'counter' : 'gauge',
    samples,
  };
}
