import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildMetric } from '../../metrics/build-metric.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import type { ServerHealth, ServerStatus, Store } from '../../store/open-store.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The database: whether it is reached, what it has, and on which servers or disk it is. */
export function collectStoreMetrics(
  { storeHealth, data: { responseCache, reader } }: RequestContext,
  { readerSource }: Store,
): MetricFamily[] {
  const isReachable = storeHealth.unconfirmedSince === undefined;
  const { revision } = responseCache;
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

/** 0 where the file is missing. */
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
