import type { MetricFamily, MetricLabels } from './metric-family.ts';

/** From a cached response to a long download. */
export const DURATION_BOUNDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Counts durations in buckets. */
export class DurationHistogram {
  readonly #counts = new Float64Array(DURATION_BOUNDS.length + 1);
  #sum = 0;

  /** Called for every request, so it allocates nothing. */
  observe(seconds: number): void {
    let index = 0;
    while (seconds > (DURATION_BOUNDS[index] ?? Number.POSITIVE_INFINITY)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += seconds;
  }

  toValues(): number[] {
    return [...this.#counts, this.#sum];
  }
}

export function buildHistogram(
  name: string,
  help: string,
  histograms: readonly (readonly [labels: MetricLabels, histogram: DurationHistogram])[],
): MetricFamily {
  return {
    name,
    help,
    type: 'histogram',
    merge: 'sum',
    bounds: DURATION_BOUNDS,
    samples: histograms.map(([labels, histogram]) => ({ labels, values: histogram.toValues() })),
  };
}
