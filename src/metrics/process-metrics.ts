import { countOpenFiles } from '../shared/open-files.ts';
import { buildMetric } from './build-metric.ts';
import { buildHistogram, DurationHistogram } from './histogram.ts';
import type { MetricFamily } from './metric-family.ts';

const LAG_INTERVAL_MS = 100;
const STARTED_SECONDS = (Date.now() - process.uptime() * 1_000) / 1_000;

/** Collects the metrics of this process: memory, time, and how late its event loop is. */
export function startProcessMetrics(countDroppedLines: () => number): () => MetricFamily[] {
  const lag = new DurationHistogram();
  let dueMs = performance.now() + LAG_INTERVAL_MS;
  setInterval(() => {
    const nowMs = performance.now();
    lag.observe(Math.max(0, nowMs - dueMs) / 1_000);
    dueMs = nowMs + LAG_INTERVAL_MS;
  }, LAG_INTERVAL_MS).unref();
  return () => [
    buildHistogram(
      'tenor_event_loop_lag_seconds',
      'How late timers run, measured ten times a second in each process.',
      [[{}, lag]],
    ),
    buildMetric('tenor_log_lines_dropped_total', countDroppedLines()),
    ...collectSystemMetrics(),
  ];
}

function collectSystemMetrics(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    buildMetric('process_cpu_seconds_total', (user + system) / 1_000_000),
    buildMetric('process_resident_memory_bytes', rss),
    buildMetric('process_heap_bytes', heapUsed),
    buildMetric('process_start_time_seconds', STARTED_SECONDS),
    buildMetric('process_open_fds', countOpenFiles()),
  ];
}
