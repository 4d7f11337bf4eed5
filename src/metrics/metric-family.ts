/** All values of one metric: plain data, so that it can be sent between processes. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly merge: MergeRule;
  /** The upper bounds of a histogram's buckets, ascending; the last bucket has none. */
  readonly bounds?: readonly number[];
  readonly samples: readonly MetricSample[];
}

export type MergeRule = 'sum' | 'min' | 'max';

export interface MetricSample {
  readonly labels: MetricLabels;
  /** One value; of a histogram the count of each bucket, not cumulative, and then the sum. */
  readonly values: readonly number[];
}

export type MetricLabels = Readonly<Record<string, string>>;

/** A value with its labels, or the only one of its metric. */
export type SampleInput = number | readonly (readonly [labels: MetricLabels, value: number])[];

/** Only grows while the process runs; its name ends in `_total`. */
export function buildCounter(name: string, help: string, values: SampleInput): MetricFamily {
  return { name, help, type: 'counter', merge: 'sum', samples: toSamples(values) };
}

export function buildGauge(
  name: string,
  help: string,
  merge: MergeRule,
  values: SampleInput,
): MetricFamily {
  return { name, help, type: 'gauge', merge, samples: toSamples(values) };
}

function toSamples(values: SampleInput): MetricSample[] {
  const entries = typeof values === 'number' ? [[{}, values] as const] : values;
  return entries.map(([labels, value]) => ({ labels, values: [value] }));
}
