import type { ServerMonitor } from '../../http/monitoring/server-monitor.ts';
import { buildMetric } from '../../metrics/build-metric.ts';
import { mergeMetrics, selectCounters } from '../../metrics/merge-metrics.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import type { Readiness } from '../../operations/health/health-routes.ts';
import { system } from '../../shared/system.ts';

export interface WorkerReport {
  readonly readiness: Readiness;
  readonly metrics: readonly MetricFamily[];
}

/** A request to a worker for a report. */
export interface ReportRequest {
  readonly id: number;
  readonly metrics: ReportedMetrics;
}

/** The metrics to report; those of datasets are the same in all workers, so only one collects them. */
export type ReportedMetrics = 'none' | 'own' | 'own and datasets';

/** A worker that can be asked for reports. */
interface ReportingWorker {
  send(message: { readonly kind: 'report' } & ReportRequest): void;
}

/** A hanging worker must not delay a scrape, which Prometheus aborts after ten seconds. */
const REPORT_TIMEOUT_MS = 1_000;

/** The readiness and metrics of all worker processes, from their reports: ready while one of them is. */
export class GroupMonitor<Worker extends ReportingWorker> implements ServerMonitor {
  isStopping = false;
  restarts = 0;
  readonly #pending = new Map<number, (report: WorkerReport) => void>();
  /** The counters of each worker's last report, so that nothing reported is lost. */
  readonly #counters = new Map<Worker, readonly MetricFamily[]>();
  #endedCounters: readonly MetricFamily[] = [];
  /** The workers that did not respond to the last request. */
  #unresponsive = new Set<Worker>();
  #lastId = 0;

  constructor(private readonly timeoutMs = REPORT_TIMEOUT_MS) {}

  async getReadiness(): Promise<Readiness> {
    if (this.isStopping) return { reasons: ['stopping'], revision: -1 };
    const reports = await this.#request(() => 'none');
    return mergeReadiness(reports.map(({ readiness }) => readiness));
  }

  /** Gauges of the workers that respond in time, and counters of all that ever did. */
  async collectMetrics(): Promise<MetricFamily[]> {
    const reader = this.workers.find((worker) => !this.#unresponsive.has(worker));
    const count = this.#counters.size;
    const reports = await this.#request((worker) =>
      worker === reader ? 'own and datasets' : 'own',
    );
    const gauges = reports.map(({ metrics }) => metrics.filter(({ type }) => type === 'gauge'));
    return [
      ...mergeMetrics([this.#endedCounters, ...this.#counters.values(), ...gauges]),
      ...buildWorkerMetrics(count, count - reports.length, this.restarts),
    ];
  }

  get workers(): readonly Worker[] {
    return [...this.#counters.keys()];
  }

  receive(id: number, report: WorkerReport): void {
    this.#pending.get(id)?.(report);
  }

  add(worker: Worker): void {
    this.#counters.set(worker, []);
  }

  /** The counters of a worker that has exited stay in the totals, which must never decrease. */
  remove(worker: Worker): void {
    const counters = this.#counters.get(worker) ?? [];
    this.#counters.delete(worker);
    this.#endedCounters = mergeMetrics([this.#endedCounters, counters]);
  }

  /** The reports of the workers that respond in time. */
  async #request(selectMetrics: (worker: Worker) => ReportedMetrics): Promise<WorkerReport[]> {
    const { workers } = this;
    const reports = await Promise.all(
      workers.map((worker) => this.#requestOne(worker, selectMetrics(worker))),
    );
    this.#unresponsive = new Set(workers.filter((_, index) => !reports[index]));
    return reports.filter((report) => report !== undefined);
  }

  async #requestOne(worker: Worker, metrics: ReportedMetrics): Promise<WorkerReport | undefined> {
    const id = ++this.#lastId;
    const received = Promise.withResolvers<WorkerReport | undefined>();
    this.#pending.set(id, received.resolve);
    const timer = system.setTimeout(() => received.resolve(undefined), this.timeoutMs);
    worker.send({ kind: 'report', id, metrics });
    const report = await received.promise;
    timer.cancel();
    this.#pending.delete(id);
    // It may have exited in the meantime.
    if (report && metrics !== 'none' && this.#counters.has(worker))
      this.#counters.set(worker, selectCounters(report.metrics));
    return report;
  }
}

/** Requests still reach a worker that is not ready, but the others serve theirs. */
function mergeReadiness(all: readonly Readiness[]): Readiness {
  const ready = all.filter(({ reasons }) => reasons.length === 0);
  const { follow } = all.find((readiness) => readiness.follow) ?? {};
  const warnings = [...new Set(all.flatMap((readiness) => readiness.warnings ?? []))];
  const revision = ready.length > 0 ? Math.max(...ready.map((each) => each.revision)) : -1;
  if (ready.length > 0)
    return { reasons: [], revision, ...(warnings.length > 0 && { warnings }), follow };
  const reasons = new Set(all.flatMap((readiness) => readiness.reasons));
  const damaged = [...new Set(all.flatMap((readiness) => readiness.damaged ?? []))];
  return {
    reasons: reasons.size > 0 ? [...reasons] : ['unresponsive'],
    revision,
    ...(damaged.length > 0 && { damaged }),
    ...(warnings.length > 0 && { warnings }),
    follow,
  };
}

export function buildWorkerMetrics(
  workers: number,
  unresponsive: number,
  restarts: number,
): MetricFamily[] {
  return [
    buildMetric('tenor_workers', workers),
    buildMetric('tenor_workers_unresponsive', unresponsive),
    buildMetric('tenor_worker_restarts_total', restarts),
  ];
}
