import type { MergeRule, MetricFamily, MetricSample } from './metric-family.ts';

const MERGE_VALUES: Readonly<Record<MergeRule, (first: number, second: number) => number>> = {
  sum: (first, second) => first + second,
  min: Math.min,
  max: Math.max,
};

/** The metrics of several processes as one list: values with the same labels are merged. */
export function mergeMetrics(lists: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const families = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...families.values()].flatMap((sameName) => {
    const [first] = sameName;
    const samples = sameName.flatMap((family) => family.samples);
    return first ? [{ ...first, samples: mergeSamples(samples, first.merge) }] : [];
  });
}

function mergeSamples(samples: readonly MetricSample[], rule: MergeRule): MetricSample[] {
  const merged = new Map<string, MetricSample>();
  const mergeValues = MERGE_VALUES[rule];
  for (const sample of samples) {
    const key = JSON.stringify(sample.labels);
    const earlier = merged.get(key);
    const values = earlier
      ? earlier.values.map((value, index) => mergeValues(value, sample.values[index] ?? 0))
      : sample.values;
    merged.set(key, { labels: sample.labels, values });
  }
  return [...merged.values()];
}

/** Keeps the metrics that stay true of a process that has ended or does not respond: its counters. */
export function selectCounters(families: readonly MetricFamily[]): MetricFamily[] {
  return families.filter(({ type }) => type !== 'gauge');
}
