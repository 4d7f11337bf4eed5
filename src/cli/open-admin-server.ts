import type { EventLog } from '../event-log.ts';
import { type AdminServer, startAdminServer } from '../http/monitoring/admin-server.ts';
import type { ServerMonitor } from '../http/monitoring/server-monitor.ts';
import { mergeMetrics } from '../metrics/merge-metrics.ts';
import { startProcessMetrics } from '../metrics/process-metrics.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command.ts';
import { buildWorkerMetrics } from './workers/worker-reports.ts';

/** Starts the server for health and metrics; undefined where the settings have none. */
export function openAdminServer(
  { adminHost: host, adminPort: port, workers }: Settings,
  { emit, countDroppedLines }: EventLog,
): AdminServer | undefined {
  if (port === null) return undefined;
  const collectProcessMetrics = startProcessMetrics(countDroppedLines);
  const admin = startOrExplain(() => startAdminServer({ host, port, emit }), host, port);
  // With several, their supervisor tells of them.
  const workerMetrics = workers === 1 ? buildWorkerMetrics(1, 0, 0) : [];
  const addOwnMetrics = (monitor: ServerMonitor): ServerMonitor => ({
    getReadiness: monitor.getReadiness,
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

function startOrExplain(start: () => AdminServer, host: string, port: number): AdminServer {
  try {
    return start();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (!code?.startsWith('E')) throw cause;
    throw new CommandError(
      code === 'EADDRINUSE'
        ? `port ${port} on ${host} is in use; set ADMIN_PORT to another, or to off`
        : `cannot listen on port ${port} of ${host} (${code}); see ADMIN_HOST and ADMIN_PORT`,
    );
  }
}
