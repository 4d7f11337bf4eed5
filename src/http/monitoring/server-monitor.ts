import { buildCounter, buildGauge, type MetricFamily } from '../../metrics/metric-family.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { Store } from '../../store/open-store.ts';
import { COMMIT, VERSION } from '../../version.ts';
import type { EventStreams } from '../operations/events/event-streams.ts';
import type { DataContext, RequestContext } from '../pipeline/request-context.ts';
import type { ScrubView } from '../scrub/scrub-status.ts';
import type { TlsStatus } from '../tls/tls-status.ts';
import type { DatasetMetrics } from './dataset-metrics.ts';
import type { Readiness } from './readiness.ts';
import { collectStoreMetrics } from './store-metrics.ts';

/** Reports how a running server is. */
export interface ServerMonitor {
  getReadiness(): Awaitable<Readiness>;
  /** Of several processes that share a database, one is enough to collect those of datasets. */
  collectMetrics(options?: MetricSelection): Awaitable<readonly MetricFamily[]>;
}

export interface MetricSelection {
  readonly includesDatasets: boolean;
}

interface MonitorOptions {
  readonly getContext: () => RequestContext;
  readonly getReadiness: () => Readiness;
  readonly eventStreams: Pick<EventStreams, 'count'>;
  readonly scrub: ScrubView;
  /** Absent where connections are not encrypted. */
  readonly tls: Pick<TlsStatus, 'expiresAt'> | undefined;
  readonly store: Store;
  readonly connections: ConnectionCounts;
  readonly datasetMetrics: DatasetMetrics;
}

export interface ConnectionCounts {
  /** With those of other processes on the port; undefined where the system does not tell. */
  countConnections(): Promise<number | undefined>;
  countActiveRequests(): number;
}

export function createServerMonitor(options: MonitorOptions): ServerMonitor {
  const { getContext, getReadiness, store, connections, datasetMetrics } = options;
  return {
    getReadiness,
    async collectMetrics({ includesDatasets } = { includesDatasets: true }) {
      const datasets = includesDatasets ? await datasetMetrics.collect() : [];
      const context = getContext();
      return [
        ...context.log.metrics.collect(),
        ...(await collectConnectionMetrics(connections)),
        ...collectJobMetrics(context.data),
        buildGauge(
          'tenor_event_streams',
          'Open streams of /events.',
          'sum',
          options.eventStreams.count,
        ),
        ...collectStoreMetrics(context, store),
        buildCertificateExpiry(options),
        ...collectScrubMetrics(options),
        ...datasets,
        buildInfo(store),
      ];
    },
  };
}

async function collectConnectionMetrics(connections: ConnectionCounts): Promise<MetricFamily[]> {
  const open = await connections.countConnections();
  return [
    buildGauge(
      'http_server_active_requests',
      'Requests that are being answered, streams of /events among them.',
      'sum',
      connections.countActiveRequests(),
    ),
    ...(open === undefined
      ? []
      : [buildGauge('tenor_http_connections', 'Open connections of clients.', 'max', open)]),
  ];
}

function collectJobMetrics({ jobCounts: { running, waiting } }: DataContext): MetricFamily[] {
  return [
    buildGauge(
      'tenor_background_jobs',
      'Long work of requests, such as large pages, that runs or waits for its turn.',
      'sum',
      [
        [{ state: 'running' }, running],
        [{ state: 'waiting' }, waiting],
      ],
    ),
  ];
}

function collectScrubMetrics({ scrub }: MonitorOptions): MetricFamily[] {
  const { finishedAtMs, faults, checkedRecords } = scrub.status();
  return [
    buildGauge(
      'tenor_scrub_faults',
      'Faults that the last scrub of the database found.',
      'max',
      faults,
    ),
    buildGauge(
      'tenor_scrub_finished_timestamp_seconds',
      'When the last complete scrub ended, in seconds since 1970; absent before the first.',
      'max',
      finishedAtMs === null ? [] : finishedAtMs / 1_000,
    ),
    buildCounter('tenor_scrub_records_total', 'Records that scrubs have checked.', checkedRecords),
  ];
}

function buildCertificateExpiry({ tls }: MonitorOptions): MetricFamily {
  return buildGauge(
    'tenor_tls_certificate_expiry_timestamp_seconds',
    'When the certificate in use expires, in seconds since 1970; absent without TLS.',
    'min',
    tls ? tls.expiresAt.getTime() / 1_000 : [],
  );
}

function buildInfo({ schema }: Store): MetricFamily {
  const labels = {
    version: VERSION,
    ...(COMMIT !== undefined && { commit: COMMIT }),
    bun: Bun.version,
    engine: schema.engine,
    schema: String(schema.version),
  };
  return buildGauge('tenor_build_info', 'What runs; always 1.', 'max', [[labels, 1]]);
}
