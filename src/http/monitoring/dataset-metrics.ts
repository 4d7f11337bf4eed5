import { type Dataset, SCOPES } from '../../catalogue/model/dataset.ts';
import { buildGauge, type MetricFamily } from '../../metrics/metric-family.ts';
import type { CoverageEntry } from '../background/jobs.ts';
import type { Client } from '../background/schedule-job.ts';
import type { DataContext } from '../pipeline/request-context.ts';
import { buildTimelinessMetrics } from './timeliness-metrics.ts';

/** Metrics of the datasets, read once for each revision. */
export interface DatasetMetrics {
  collect(): Promise<MetricFamily[]>;
}

interface KnownCoverage {
  readonly data: DataContext;
  readonly revision: number;
  readonly entries: readonly CoverageEntry[];
}

/** A scrape that has waited this long gets what was read before. */
const MAX_WAIT_MS = 500;
/** In the background, since the bounds of funds are computed from all of them. */
const COVERAGE_COST = 10;
const SCRAPER: Client = {
  principal: {
    id: 'metrics',
    scopes: new Set(SCOPES),
    rate: null,
    expiresAtMs: Number.POSITIVE_INFINITY,
    lastUsedAtMs: 0,
  },
  signal: new AbortController().signal,
  charge: () => {},
};

export function createDatasetMetrics(
  catalogue: readonly Dataset[],
  getData: () => DataContext,
): DatasetMetrics {
  const datasets = catalogue.map(({ name }) => name);
  let known: KnownCoverage | undefined;
  let pending: Promise<void> | undefined;
  const isKnown = (data: DataContext) =>
    known?.data === data && known.revision >= data.responseCache.revision;
  const read = async (data: DataContext) => {
    const { revision, entries } = await data.scheduleJob(SCRAPER, COVERAGE_COST, (jobs) =>
      jobs.readCoverage({ datasets, asOf: undefined }),
    );
    known = { data, revision, entries };
  };
  return {
    async collect() {
      const data = getData();
      if (!isKnown(data)) {
        // While the store is unreachable, what was last read is still true.
        pending ??= read(data)
          .catch(() => {})
          .finally(() => {
            pending = undefined;
          });
        await Promise.race([pending, Bun.sleep(MAX_WAIT_MS)]);
      }
      return known ? buildFamilies(catalogue, known.entries) : [];
    },
  };
}

function buildFamilies(
  catalogue: readonly Dataset[],
  entries: readonly CoverageEntry[],
): MetricFamily[] {
  const newest = entries.flatMap(({ dataset: name, ...coverage }) => {
    const dataset = catalogue.find((candidate) => candidate.name === name);
    return dataset ? [{ ...coverage, dataset }] : [];
  });
  return [
    buildGauge(
      'tenor_dataset_records',
      'Current records of a dataset.',
      'max',
      entries.map(({ dataset, count }) => [{ dataset }, count]),
    ),
    buildGauge(
      'tenor_dataset_revision',
      'The last revision that changed a dataset; 0 before the first.',
      'max',
      entries.map(({ dataset, lastRevision }) => [{ dataset }, lastRevision?.revision ?? 0]),
    ),
    buildGauge(
      'tenor_dataset_published_timestamp_seconds',
      'When a dataset was last changed, in seconds since 1970.',
      'max',
      entries.flatMap(({ dataset, lastRevision }) =>
        lastRevision ? [[{ dataset }, Date.parse(lastRevision.publishedAt) / 1_000] as const] : [],
      ),
    ),
    ...buildTimelinessMetrics(newest, new Date()),
  ];
}
