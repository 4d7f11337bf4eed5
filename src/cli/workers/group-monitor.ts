import type { Readiness } from '../../http/monitoring/readiness.ts';
import type { ServerMonitor } from '../../http/monitoring/server-monitor.ts';
import { mergeMetrics, selectCounters } from '../../metrics/merge-metrics.ts';
import { buildCounter, buildGauge, type MetricFamily } from '../../metrics/metric-family.ts';

/** The state of a worker, as it reports it. */
export interface WorkerReport {
  readonly readiness: Readiness;
  readonly metrics: readonly MetricFamily[];
}

/** A request for a report, which is sent to a worker. */
export interface ReportRequest {
  readonly id: number;
  readonly metrics: MetricSelection;
}

/** Those of datasets are the same in all workers: one is enough to collect them. */
export type MetricSelection = 'none' | 'own' | 'own and datasets';

/** A worker that reports can be requested from. */
interface ReportingWorker {
  send(message: { readonly kind: 'report' } & ReportRequest): void;
}

/** A worker that hangs must not delay a scrape, which Prometheus gives up after ten seconds. */
const REPORT_TIMEOUT_MS = 1_000;

/** Collects the reports of several processes that serve together. */
export class WorkerReports<Worker extends ReportingWorker> {
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, (report: WorkerReport) => void>();
  /** The counters of each worker's last report: nothing that was once reported is lost. */
  readonly #counters = new Map<Worker, readonly MetricFamily[]>();
  #endedCounters: readonly MetricFamily[] = [];
  /** Those that did not respond to the last request. */
  #unresponsive = new Set<Worker>();
  #lastId = 0;

  constructor(timeoutMs = REPORT_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** Requests the readiness of each; those that do not respond in time are left out. */
  async requestReadiness(workers: readonly Worker[]): Promise<Readiness[]> {
    const reports = await this.#request(workers, () => 'none');
    return reports.map(({ readiness }) => readiness);
  }

  /** Gauges of those that respond in time, and counters of all that ever did. */
  async requestMetrics(
    workers: readonly Worker[],
  ): Promise<{ metrics: MetricFamily[]; unresponsive: number }> {
    const reader = workers.find((worker) => !this.#unresponsive.has(worker));
    const reports = await this.#request(workers, (worker) =>
      worker === reader ? 'own and datasets' : 'own',
    );
    const gauges = reports.map(({ metrics }) => metrics.filter(({ type }) => type === 'gauge'));
    return {
      metrics: mergeMetrics([this.#endedCounters, ...this.#counters.values(), ...gauges]),
      unresponsive: workers.length - reports.length,
    };
  }

  receive(id: number, report: WorkerReport): void {
    this.#pending.get(id)?.(report);
  }

  add(worker: Worker): void {
    this.#counters.set(worker, []);
  }

  /** Counters of a worker that has ended stay in the totals, which must not fall. */
  remove(worker: Worker): void {
    const counters = this.#counters.get(worker) ?? [];
    this.#counters.delete(worker);
    this.#endedCounters = mergeMetrics([this.#endedCounters, counters]);
  }

  async #request(
    workers: readonly Worker[],
    selectMetrics: (worker: Worker) => MetricSelection,
  ): Promise<WorkerReport[]> {
    const reports = await Promise.all(
      workers.map((worker) => this.#requestOne(worker, selectMetrics(worker))),
    );
    this.#unresponsive = new Set(workers.filter((_, index) => !reports[index]));
    return reports.filter((report) => report !== undefined);
  }

  async #requestOne(worker: Worker, metrics: MetricSelection): Promise<WorkerReport | undefined> {
    const id = ++this.#lastId;
    const received = Promise.withResolvers<WorkerReport | undefined>();
    this.#pending.set(id, received.resolve);
    const timer = setTimeout(() => received.resolve(undefined), this.#timeoutMs);
    worker.send({ kind: 'report', id, metrics });
    const report = await received.promise;
    clearTimeout(timer);
    this.#pending.delete(id);
    // It may have ended meanwhile.
    if (report && metrics !== 'none' && this.#counters.has(worker))
      this.#counters.set(worker, selectCounters(report.metrics));
    return report;
  }
}

interface GroupState<Worker extends ReportingWorker> {
  readonly reports: WorkerReports<Worker>;
  /** Those that run. */
  readonly listWorkers: () => readonly Worker[];
  readonly isStopping: () => boolean;
  readonly countRestarts: () => number;
}

/** Tells how a group of workers is: ready while at least one of them is. */
export function createGroupMonitor<Worker extends ReportingWorker>({
  reports,
  listWorkers,
  isStopping,
  countRestarts,
}: GroupState<Worker>): ServerMonitor {
  return {
    async getReadiness() {
      if (isStopping()) return { reasons: ['stopping'], revision: -1 };
      return mergeReadiness(await reports.requestReadiness(listWorkers()));
    },
    async collectMetrics() {
      const workers = listWorkers();
      const { metrics, unresponsive } = await reports.requestMetrics(workers);
      return [...metrics, ...buildWorkerMetrics(workers.length, unresponsive, countRestarts())];
    },
  };
}

/** A worker that is not ready gets requests nevertheless, but the others answer theirs. */
function mergeReadiness(all: readonly Readiness[]): Readiness {
  const ready = all.filter(({ reasons }) => reasons.length === 0);
  if (ready.length > 0)
    return { reasons: [], revision: Math.max(...ready.map(({ revision }) => revision)) };
  const reasons = new Set(all.flatMap((readiness) => readiness.reasons));
  return { reasons: reasons.size > 0 ? [...reasons] : ['unresponsive'], revision: -1 };
}

export function buildWorkerMetrics(
  workers: number,
  unresponsive: number,
  restarts: number,
): MetricFamily[] {
  return [
    buildGauge('tenor_workers', 'Processes that serve.', 'max', workers),
    buildGauge(
      'tenor_workers_unresponsive',
      'Processes that did not report in time: their gauges are missing.',
      'max',
      unresponsive,
    ),
    buildCounter(
      'tenor_worker_restarts_total',
      'Processes that ended unexpectedly and were replaced.',
      restarts,
    ),
  ];
}
