import { countOpenFiles } from '../shared/open-files.ts';
import { buildHistogram, DurationHistogram } from './histogram.ts';
import { buildCounter, buildGauge, type MetricFamily } from './metric-family.ts';

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
    buildCounter(
      'tenor_log_lines_dropped_total',
      'Log lines that were left out while nobody read the log.',
      countDroppedLines(),
    ),
    ...collectSystemMetrics(),
  ];
}

function collectSystemMetrics(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const openFiles = countOpenFiles();
  return [
    buildCounter(
      'process_cpu_seconds_total',
      'Processor time of all processes, in seconds.',
      (user + system) / 1_000_000,
    ),
    buildGauge(
      'process_resident_memory_bytes',
      'Resident memory, summed over all processes.',
      'sum',
      rss,
    ),
    buildGauge('process_heap_bytes', 'JavaScript heap in use, of all processes.', 'sum', heapUsed),
    buildGauge(
      'process_start_time_seconds',
      'When the service was started, in seconds since 1970.',
      'min',
      STARTED_SECONDS,
    ),
    ...(openFiles === undefined
      ? []
      : [buildGauge('process_open_fds', 'Open file descriptors.', 'sum', openFiles)]),
  ];
}
