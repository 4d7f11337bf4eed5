import { statfsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buildMetric } from '../../metrics/build-metric.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import type { EventStreams } from '../../operations/events/event-streams.ts';
import { FOLLOW_STATES } from '../../operations/health/health-operations.ts';
import type { Readiness } from '../../operations/health/health-routes.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { ServerHealth, ServerStatus, Store } from '../../store/open-store.ts';
import { COMMIT, VERSION } from '../../version.ts';
import type { Server } from '../pipeline/server.ts';
import type { ScrubView } from '../scrub/scrub-status.ts';
import type { Tls } from '../tls/tls-status.ts';
import type { DatasetMetrics } from './dataset-metrics.ts';

/** Reports how a running server is. */
export interface ServerMonitor {
  getReadiness(): Awaitable<Readiness>;
  /** Of several processes that share a database, one is enough to collect those of datasets. */
  collectMetrics(options?: {
    readonly includesDatasets: boolean;
  }): Awaitable<readonly MetricFamily[]>;
}

interface MonitorOptions {
  readonly getServer: () => Server;
  readonly getReadiness: () => Readiness;
  readonly eventStreams: Pick<EventStreams, 'count'>;
  readonly scrub: ScrubView;
  /** Absent if connections are not encrypted. */
  readonly tls: Pick<Tls, 'expiresAt'> | undefined;
  readonly store: Store;
  readonly connections: ConnectionCounts;
  readonly datasetMetrics: DatasetMetrics;
}

export interface ConnectionCounts {
  /** With those of other processes on the port; undefined if the system does not tell. */
  countConnections(): Promise<number | undefined>;
  countActiveRequests(): number;
}

export function createServerMonitor(options: MonitorOptions): ServerMonitor {
  const { getServer, getReadiness, store, connections, datasetMetrics } = options;
  return {
    getReadiness,
    async collectMetrics({ includesDatasets } = { includesDatasets: true }) {
      const datasets = includesDatasets ? await datasetMetrics.collect() : [];
      const server = getServer();
      return [
        ...server.log.metrics.collect(),
        buildMetric('http_server_active_requests', connections.countActiveRequests()),
        buildMetric('tenor_http_connections', await connections.countConnections()),
        buildMetric('tenor_background_jobs', [
          [{ state: 'running' }, server.database.scheduler.counts.running],
          [{ state: 'waiting' }, server.database.scheduler.counts.waiting],
        ]),
        buildMetric('tenor_event_streams', options.eventStreams.count),
        ...collectStoreMetrics(server, store),
        buildCertificateExpiry(options),
        ...collectScrubMetrics(options),
        ...collectFollowMetrics(getReadiness()),
        ...datasets,
        buildInfo(store),
      ];
    },
  };
}

function collectScrubMetrics({ scrub }: MonitorOptions): MetricFamily[] {
  const { finishedAtMs, faults, checkedRecords, damaged } = scrub.status();
  return [
    buildMetric(
      'tenor_dataset_damaged',
      damaged.map((dataset) => [{ dataset }, 1]),
    ),
    buildMetric('tenor_scrub_faults', faults),
    buildMetric(
      'tenor_scrub_finished_timestamp_seconds',
      finishedAtMs === null ? undefined : finishedAtMs / 1_000,
    ),
    buildMetric('tenor_scrub_records_total', checkedRecords),
  ];
}

/** Those of a server that follows none are left out. */
function collectFollowMetrics({ follow }: Readiness): MetricFamily[] {
  const states = follow ? Object.keys(FOLLOW_STATES) : [];
  const { revision = 0, sourceRevision, comparedAtMs } = follow ?? {};
  return [
    buildMetric(
      'tenor_follow_state',
      states.map((state) => [{ state }, Number(state === follow?.state)]),
    ),
    buildMetric(
      'tenor_follow_lag_revisions',
      sourceRevision ? sourceRevision - revision : undefined,
    ),
    buildMetric(
      'tenor_follow_compared_timestamp_seconds',
      comparedAtMs ? comparedAtMs / 1_000 : undefined,
    ),
  ];
}

function buildCertificateExpiry({ tls }: MonitorOptions): MetricFamily {
  const expirySeconds = tls && tls.expiresAt.getTime() / 1_000;
  return buildMetric('tenor_tls_certificate_expiry_timestamp_seconds', expirySeconds);
}

function buildInfo({ schema }: Store): MetricFamily {
  const labels = {
    version: VERSION,
    ...(COMMIT !== undefined && { commit: COMMIT }),
    bun: Bun.version,
    engine: schema.engine,
    schema: String(schema.version),
  };
  return buildMetric('tenor_build_info', [[labels, 1]]);
}

/**
 * How many connections to a port are open, those of other processes that share it among them.
 * Undefined if the system has no such list.
 */
export async function countConnections(port: number): Promise<number | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(readTable));
  const texts = tables.filter((text) => text !== undefined);
  if (texts.length === 0) return undefined;
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  // The local address, the remote one, and the state: established, or closed by the client alone.
  const pattern = new RegExp(`: [0-9A-F]+:${hexPort} [0-9A-F]+:[0-9A-F]{4} 0[18] `, 'g');
  return texts.reduce((count, text) => count + (text.match(pattern)?.length ?? 0), 0);
}

function readTable(name: string): Promise<string | undefined> {
  return readFile(`/proc/self/net/${name}`, 'latin1').catch(() => undefined);
}

/** The database: whether it is reached, what it has, and on which servers or disk it is. */
export function collectStoreMetrics(
  { storeHealth, database: { newestRevision, reader } }: Server,
  { readerSource }: Store,
): MetricFamily[] {
  const isReachable = storeHealth.unconfirmedSince === undefined;
  const { revision } = newestRevision;
  return [
    buildMetric('tenor_store_up', Number(isReachable)),
    // A process that has no database at the moment knows no revision.
    buildMetric('tenor_revision', revision < 0 ? undefined : revision),
    ...collectServerMetrics(reader.servers()),
    ...(readerSource && 'path' in readerSource ? collectFileMetrics(readerSource.path) : []),
  ];
}

const CONDITIONS: readonly ServerHealth[] = ['healthy', 'unreachable', 'lagging', 'diverged'];

function collectServerMetrics(servers: readonly ServerStatus[]): MetricFamily[] {
  const labelled = servers.map((status) => {
    const { server, role } = status;
    return [{ server, role }, status] as const;
  });
  return [
    buildMetric(
      'tenor_store_server_up',
      labelled.map(([labels, { health }]) => [labels, Number(health !== 'unreachable')]),
    ),
    buildMetric(
      'tenor_store_server_condition',
      labelled.flatMap(([labels, { health }]) =>
        CONDITIONS.map(
          (condition) => [{ ...labels, condition }, Number(condition === health)] as const,
        ),
      ),
    ),
    buildMetric(
      'tenor_store_server_lag_revisions',
      labelled.flatMap(([labels, { lag }]) => (lag === undefined ? [] : [[labels, lag] as const])),
    ),
  ];
}

function collectFileMetrics(path: string): MetricFamily[] {
  const disk = readDisk(path);
  return [
    buildMetric('tenor_database_file_bytes', [
      [{ file: 'database' }, readFileBytes(path)],
      [{ file: 'wal' }, readFileBytes(`${path}-wal`)],
    ]),
    buildMetric('tenor_database_disk_free_bytes', disk && disk.bavail * disk.bsize),
    buildMetric('tenor_database_disk_size_bytes', disk && disk.blocks * disk.bsize),
  ];
}

/** 0 if the file is missing. */
function readFileBytes(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function readDisk(path: string) {
  try {
    return statfsSync(dirname(path));
  } catch {
    // The folder is missing.
    return undefined;
  }
}
