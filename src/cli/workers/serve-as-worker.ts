import { catalogue } from '../../catalogue/index.ts';
import { EventLog } from '../../event-log.ts';
import { openSharedRevision } from '../../http/freshness/shared-revision.ts';
import { STARTING_READINESS } from '../../http/monitoring/readiness.ts';
import type { ServerMonitor } from '../../http/monitoring/server-monitor.ts';
import { createSharedLimits } from '../../http/rate-limiting/shared-limits.ts';
import { DRAIN_QUIET_MS } from '../../http/server/listen.ts';
import { type ScrubbingServer, startServer } from '../../http/server/start-server.ts';
import { InvalidCertificateError } from '../../http/tls/certificate.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import { startProcessMetrics } from '../../metrics/process-metrics.ts';
import { InvalidSettingError, parseSettings } from '../../settings.ts';
import { SILENCE_TICK_MS } from '../../shared/silence-meter.ts';
import { system } from '../../shared/system.ts';
import { openStore, StoreUnavailableError, StoreUnusableError } from '../../store/open-store.ts';
import { flushStderr } from '../output.ts';
import { getConnectionOptions } from '../with-store.ts';
import type { ReportedMetrics, ReportRequest } from './group-monitor.ts';
import type { StartMessage, SupervisorMessage, WorkerMessage } from './worker-process.ts';

const USAGE_REPORT_INTERVAL_MS = 100;

const limits = createSharedLimits();
let serverPromise: Promise<ScrubbingServer> | undefined;
let log: EventLog | undefined;
let isShuttingDown = false;
/** The monitor of the server, once it serves. */
let monitor: ServerMonitor | undefined;
/** Collects metrics of the process, starting with the first request for metrics. */
let collectProcessMetrics: (() => MetricFamily[]) | undefined;

/** Serves as instructed by the supervisor, which started this process. */
export function serveAsWorker(): void {
  // Only the supervisor stops a worker: a signal to the process group reaches the worker as well, but
  // requests in flight must finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  // If the supervisor dies, the log is lost, but requests in flight still finish.
  process.stderr.on('error', () => {});
  process.on('disconnect', shutDown);
  system.setInterval(() => sendToSupervisor({ kind: 'alive' }), SILENCE_TICK_MS);
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'start') start(message);
    else if (message.kind === 'usage') limits.applyUsage(message.usage);
    else if (message.kind === 'report') sendReport(message).catch(logReportFailure);
    else if (message.kind === 'scrub') withServer(({ scrubber }) => scrubber.start());
    else if (message.kind === 'scrubNews')
      withServer(({ scrubber }) => scrubber.observe(message.news));
    else if (message.kind === 'follow')
      withServer((server) => server.setFollowStatus(message.status));
    else if (message.kind === 'drain') withServer((server) => server.startDraining());
    else shutDown();
  });
}

async function start(message: StartMessage): Promise<void> {
  const write = (text: string, onWritten: () => void) => process.stderr.write(text, onWritten);
  const { logFormat } = parseSettings(process.env);
  log = new EventLog({ isTTY: message.isTTY, write }, logFormat, message.isJournal);
  log.flushAtExit();
  serverPromise = startWorkerServer(message, log);
  try {
    const { address, monitor: serverMonitor, migration } = await serverPromise;
    monitor = serverMonitor;
    sendToSupervisor({ kind: 'listening', address });
    migration.then(({ from, to }) => sendToSupervisor({ kind: 'migrated', from, to }));
  } catch (cause) {
    if (!isExpectedError(cause)) throw cause;
    sendToSupervisor({ kind: 'failed', message: cause.message, code: cause.code });
    process.exit(1);
  }
  system.setInterval(() => {
    const usage = limits.drainUsage();
    if (usage) sendToSupervisor({ kind: 'usage', usage });
  }, USAGE_REPORT_INTERVAL_MS);
}

/** Runs a callback once the server has started; a server that cannot start has already reported it. */
function withServer(callback: (server: ScrubbingServer) => void): void {
  serverPromise?.then(callback, () => {});
}

async function startWorkerServer({ port, revisionFile }: StartMessage, { emit }: EventLog) {
  const settings = { ...parseSettings(process.env), port };
  // The supervisor has prepared the database; if it has vanished since, it must not be created again.
  const store = await openStore(settings.databaseUrl, catalogue, {
    ...getConnectionOptions(settings, emit),
    preparation: 'none',
    isServed: true,
  });
  return startServer({
    store,
    catalogue,
    settings,
    emit,
    sharedLimits: limits,
    sharedRevision: openSharedRevision(revisionFile),
    onScrubNews: (news) => sendToSupervisor({ kind: 'scrubNews', news }),
    drainQuietMs: DRAIN_QUIET_MS,
  });
}

async function sendReport({ id, metrics: selection }: ReportRequest): Promise<void> {
  const readiness = (await monitor?.getReadiness()) ?? STARTING_READINESS;
  const metrics = selection === 'none' ? [] : await collectMetrics(selection);
  sendToSupervisor({ kind: 'report', id, report: { readiness, metrics } });
}

/** The supervisor counts this worker as unresponsive. */
function logReportFailure(cause: unknown): void {
  log?.emit({ event: 'admin.failed', cause: String(cause) });
}

async function collectMetrics(selection: ReportedMetrics): Promise<MetricFamily[]> {
  collectProcessMetrics ??= startProcessMetrics(() => log?.countDroppedLines() ?? 0);
  const options = { includesDatasets: selection === 'own and datasets' };
  return [...((await monitor?.collectMetrics(options)) ?? []), ...collectProcessMetrics()];
}

/** Stops accepting requests at once, and lets those in flight finish. */
async function shutDown(): Promise<void> {
  if (isShuttingDown) return;
  isShuttingDown = true;
  // A failed start has already been reported.
  const server = await serverPromise?.catch(() => undefined);
  await server?.stop();
  log?.flush();
  await flushStderr();
  process.exit(0);
}

function sendToSupervisor(message: WorkerMessage): void {
  if (process.connected) process.send?.(message);
}

/** Whether the supervisor reports the error on one line; anything else is a bug. */
function isExpectedError(cause: unknown): cause is NodeJS.ErrnoException {
  const expected = [
    StoreUnusableError,
    StoreUnavailableError,
    InvalidCertificateError,
    InvalidSettingError,
  ];
  if (expected.some((kind) => cause instanceof kind)) return true;
  return cause instanceof Error && /^E[A-Z]+$/.test((cause as NodeJS.ErrnoException).code ?? '');
}
