import type { EventLog } from '../event-log.ts';
import { type AdminServer, startAdminServer } from '../http/monitoring/admin-server.ts';
import type { ServerMonitor } from '../http/monitoring/server-monitor.ts';
import { mergeMetrics } from '../metrics/merge-metrics.ts';
import { startProcessMetrics } from '../metrics/process-metrics.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command.ts';
import { buildWorkerMetrics } from './workers/group-monitor.ts';

/** Starts the server for health and metrics; undefined if it is off. */
export function openAdminServer(
  { adminHost: host, adminPort: port, workers }: Settings,
  { emit, countDroppedLines }: EventLog,
): AdminServer | undefined {
  if (port === null) return undefined;
  const collectProcessMetrics = startProcessMetrics(countDroppedLines);
  const admin = startOrExplain({ host, port, emit });
  // With several workers, the supervisor reports them.
  const workerMetrics = workers === 1 ? buildWorkerMetrics(1, 0, 0) : [];
  const addOwnMetrics = (monitor: ServerMonitor): ServerMonitor => ({
    getReadiness: () => monitor.getReadiness(),
    collectMetrics: async () =>
      mergeMetrics([await monitor.collectMetrics(), collectProcessMetrics(), workerMetrics]),
  });
  return {
    ...admin,
    watch(monitor) {
      admin.watch(addOwnMetrics(monitor));
      emit({ event: 'admin.started', address: admin.address });
    },
  };
}

/** The error of a server that cannot listen, with the settings of its address. */
export function toListenError(
  cause: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
  prefix: '' | 'ADMIN_' = '',
): Error {
  if (!cause.code?.startsWith('E')) return cause;
  const alternative = prefix === '' ? '0 for any free one' : 'to off';
  return new CommandError(
    cause.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is in use; set ${prefix}PORT to another, or ${alternative}`
      : `cannot listen on port ${port} of ${host} (${cause.code}); see ${prefix}HOST and ${prefix}PORT`,
  );
}

function startOrExplain(options: Parameters<typeof startAdminServer>[0]): AdminServer {
  try {
    return startAdminServer(options);
  } catch (cause) {
    throw toListenError(cause as Error, options, 'ADMIN_');
  }
}
