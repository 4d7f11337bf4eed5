import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildGauge, type MetricFamily } from '../../metrics/metric-family.ts';
import type { ServerHealth, ServerStatus, Store } from '../../store/open-store.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The database: whether it is reached, what it has, and on which servers or disk it is. */
export function collectStoreMetrics(
  { storeHealth, data: { responseCache, reader } }: RequestContext,
  { readerSource }: Store,
): MetricFamily[] {
  const isReachable = storeHealth.unconfirmedSince === undefined;
  return [
    buildGauge(
      'tenor_store_up',
      'Whether the database can be read (1) or not (0), by every process.',
      'min',
      Number(isReachable),
    ),
    // A process that has no database at the moment knows no revision.
    ...(responseCache.revision < 0
      ? []
      : [buildGauge('tenor_revision', 'The newest revision.', 'max', responseCache.revision)]),
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
    buildGauge(
      'tenor_store_server_up',
      'Whether a database server answers its heartbeat (1) or not (0).',
      'min',
      labelled.map(([labels, { health }]) => [labels, Number(health !== 'unreachable')]),
    ),
    buildGauge(
      'tenor_store_server_condition',
      'The condition of a database server, as the log names it: 1 for the one that holds.',
      'max',
      labelled.flatMap(([labels, { health }]) =>
        CONDITIONS.map(
          (condition) => [{ ...labels, condition }, Number(condition === health)] as const,
        ),
      ),
    ),
    buildGauge(
      'tenor_store_server_lag_revisions',
      'Revisions that a database server has not got yet; absent while it does not answer.',
      'max',
      labelled.flatMap(([labels, { lag }]) => (lag === undefined ? [] : [[labels, lag] as const])),
    ),
  ];
}

function collectFileMetrics(path: string): MetricFamily[] {
  const free = readFreeBytes(path);
  return [
    buildGauge(
      'tenor_database_file_bytes',
      'Size of the SQLite file, and of its write-ahead log.',
      'max',
      [
        [{ file: 'database' }, readFileBytes(path)],
        [{ file: 'wal' }, readFileBytes(`${path}-wal`)],
      ],
    ),
    ...(free === undefined
      ? []
      : [
          buildGauge(
            'tenor_database_disk_free_bytes',
            'What is left for the user of the service on the file system of the SQLite file.',
            'min',
            free.freeBytes,
          ),
          buildGauge(
            'tenor_database_disk_size_bytes',
            'Size of the file system of the SQLite file.',
            'max',
            free.sizeBytes,
          ),
        ]),
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

function readFreeBytes(path: string): { freeBytes: number; sizeBytes: number } | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path));
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    // The folder is missing.
    return undefined;
  }
}
