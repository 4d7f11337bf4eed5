import type { Catalogue } from '../../catalogue/catalogues.ts';
import {
  findNewestDay,
  findNextDue,
  judgeTimeliness,
  type NewestData,
} from '../../catalogue/model/next-due.ts';
import { buildMetric } from '../../metrics/build-metric.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import { system } from '../../shared/system.ts';
import { createPrincipal } from '../../tokens/token-registry.ts';
import type { Jobs } from '../background/jobs.ts';
import type { Client } from '../background/schedule-job.ts';
import type { DataContext } from '../pipeline/route.ts';

interface KnownCoverage extends Awaited<ReturnType<Jobs['readCoverage']>> {
  readonly data: DataContext;
  readonly catalogue: Catalogue;
}

/** A scrape that has waited this long gets what was read before. */
const MAX_WAIT_MS = 500;
/** In the background, since the bounds of funds are computed from all of them. */
const COVERAGE_COST = 10;
const SCRAPER: Client = {
  principal: createPrincipal('metrics'),
  signal: new AbortController().signal,
  charge: () => {},
};

/** Metrics of the datasets, read once for each revision. */
export class DatasetMetrics {
  #known: KnownCoverage | undefined;
  #pending: Promise<void> | undefined;

  constructor(private readonly getData: () => DataContext) {}

  async collect(): Promise<MetricFamily[]> {
    const data = this.getData();
    if (this.#known?.data !== data || this.#known.revision < data.responseCache.revision) {
      // While the store is unreachable, what was last read is still true.
      this.#pending ??= this.#read(data)
        .catch(() => {})
        .finally(() => {
          this.#pending = undefined;
        });
      await Promise.race([this.#pending, system.sleep(MAX_WAIT_MS)]);
    }
    return this.#known ? buildFamilies(this.#known) : [];
  }

  async #read(data: DataContext): Promise<void> {
    const catalogue = data.catalogues.current;
    const datasets = catalogue.datasets.map(({ name }) => name);
    const coverage = await data.scheduleJob(SCRAPER, COVERAGE_COST, (jobs) =>
      jobs.readCoverage(catalogue, datasets, undefined),
    );
    this.#known = { data, catalogue, ...coverage };
  }
}

function buildFamilies({ catalogue, entries }: KnownCoverage) {
  const newest = entries.map((entry) => ({ ...entry, dataset: catalogue.get(entry.dataset) }));
  return [
    buildMetric(
      'tenor_dataset_records',
      entries.map(({ dataset, count }) => [{ dataset }, count]),
    ),
    buildMetric(
      'tenor_dataset_revision',
      entries.map(({ dataset, lastRevision }) => [{ dataset }, lastRevision?.revision ?? 0]),
    ),
    buildMetric(
      'tenor_dataset_published_timestamp_seconds',
      entries.flatMap(({ dataset, lastRevision }) =>
        lastRevision ? [[{ dataset }, Date.parse(lastRevision.publishedAt) / 1_000] as const] : [],
      ),
    ),
    ...buildTimelinessMetrics(newest, new Date(system.now())),
  ];
}

/** How new the data of each dataset is, and how late the next. */
export function buildTimelinessMetrics(datasets: readonly NewestData[], now: Date): MetricFamily[] {
  const newest = datasets.map((data) => ({
    labels: { dataset: data.dataset.name },
    day: findNewestDay(data),
    nextDue: findNextDue(data),
  }));
  return [
    buildMetric(
      'tenor_dataset_newest_date_timestamp_seconds',
      newest.flatMap(({ labels, day }) =>
        day === undefined ? [] : [[labels, Date.parse(day) / 1_000] as const],
      ),
    ),
    buildMetric(
      'tenor_dataset_due_timestamp_seconds',
      newest.flatMap(({ labels, nextDue }) =>
        nextDue ? [[labels, Date.parse(nextDue.dueAt) / 1_000] as const] : [],
      ),
    ),
    buildMetric(
      'tenor_dataset_late_seconds',
      newest.map(({ labels, nextDue }) => {
        const isLate = nextDue && judgeTimeliness(nextDue, now).timeliness === 'late';
        return [labels, isLate ? (now.getTime() - Date.parse(nextDue.dueAt)) / 1_000 : 0] as const;
      }),
    ),
  ];
}
