import type { Catalogue } from '../../catalogue/catalogues.ts';
import {
  findLastCoveredDay,
  judgeTimeliness,
  type NewestData,
  type NextDue,
} from '../../catalogue/model/next-due.ts';
import { MAX_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { buildMetric } from '../../metrics/build-metric.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import { catalogueOperation } from '../../operations/catalogue/catalogue-operation.ts';
import { system } from '../../shared/system.ts';
import { EVERY_SCOPE } from '../../tokens/scopes.ts';
import type { Database } from '../pipeline/database.ts';

/** The part of an entry of the catalogue that metrics are made from. */
interface KnownDataset {
  readonly name: string;
  readonly coverage: { readonly last: string | null; readonly count: number };
  readonly lastRevision: { readonly revision: number; readonly publishedAt: string } | null;
  readonly nextDue: NextDue | null;
}

interface KnownDatasets {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly revision: number;
  readonly entries: readonly KnownDataset[];
}

/** A scrape that has waited this long gets what was read before. */
const MAX_WAIT_MS = 500;
/** In the background, since the bounds of funds are computed from all of them. */
const COVERAGE_COST = 10;
const REQUEST = {
  target: `${catalogueOperation([]).path}?limit=${MAX_LIMIT}`,
  acceptedFormat: 'ndjson',
  includesTotal: false,
  scopes: EVERY_SCOPE,
} as const;

/** Metrics of the datasets, read once for each revision. */
export class DatasetMetrics {
  #known: KnownDatasets | undefined;
  #pending: Promise<void> | undefined;

  constructor(private readonly getDatabase: () => Database) {}

  async collect(): Promise<MetricFamily[]> {
    const database = this.getDatabase();
    const { revision } = database.newestRevision;
    if (this.#known?.database !== database || this.#known.revision < revision) {
      // While the store is unreachable, what was last read is still true.
      this.#pending ??= this.#read(database)
        .catch(() => {})
        .finally(() => {
          this.#pending = undefined;
        });
      await Promise.race([this.#pending, system.sleep(MAX_WAIT_MS)]);
    }
    return this.#known ? buildFamilies(this.#known) : [];
  }

  async #read(database: Database): Promise<void> {
    const { scheduler, catalogues, newestRevision } = database;
    const { revision } = newestRevision;
    const { signal } = new AbortController();
    const owner = { principal: { id: 'metrics' }, signal, charge: () => {} };
    const request = {
      ...REQUEST,
      view: { revision, newest: revision, namedBy: 'nothing' },
    } as const;
    const parts = await scheduler.run(owner, COVERAGE_COST, (background) =>
      background?.respond(request, signal),
    );
    if (!parts?.page) return;
    const { body } = parts.page;
    const text = typeof body === 'string' ? body : await body?.text();
    const lines = (text ?? '').split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => JSON.parse(line) as KnownDataset);
    this.#known = { database, catalogue: await catalogues.prepare(revision), revision, entries };
  }
}

function buildFamilies({ catalogue, entries }: KnownDatasets) {
  const newest = entries.map(({ name, coverage: { last }, nextDue }) => ({
    dataset: catalogue.get(name),
    last,
    nextDue,
  }));
  return [
    buildMetric(
      'tenor_dataset_records',
      entries.map(({ name, coverage }) => [{ dataset: name }, coverage.count]),
    ),
    buildMetric(
      'tenor_dataset_revision',
      entries.map(({ name, lastRevision }) => [{ dataset: name }, lastRevision?.revision ?? 0]),
    ),
    buildMetric(
      'tenor_dataset_published_timestamp_seconds',
      entries.flatMap(({ name, lastRevision }) =>
        lastRevision
          ? [[{ dataset: name }, Date.parse(lastRevision.publishedAt) / 1_000] as const]
          : [],
      ),
    ),
    ...buildTimelinessMetrics(newest, new Date(system.now())),
  ];
}

interface DueDataset extends Pick<NewestData, 'dataset' | 'last'> {
  readonly nextDue: NextDue | null;
}

/** How new the data of each dataset is, and how late the next. */
export function buildTimelinessMetrics(datasets: readonly DueDataset[], now: Date): MetricFamily[] {
  const newest = datasets.map((data) => ({
    labels: { dataset: data.dataset.name },
    day: findLastCoveredDay(data),
    nextDue: data.nextDue,
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
