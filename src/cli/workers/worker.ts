// One of several processes that serve together: the supervisor starts this file.
import { catalogue } from '../../catalogue/index.ts';
import { createEventLog, type EventLog } from '../../event-log.ts';
import type { RunningServer } from '../../http/listen.ts';
import { createSharedLimits } from '../../http/rate-limiting/shared-limits.ts';
import { startServer } from '../../http/start-server.ts';
import { parseSettings } from '../../settings.ts';
import { openStore, StoreUnavailableError, StoreUnusableError } from '../../store/open-store.ts';
import { flushStderr } from '../output.ts';
import { getConnectionOptions } from '../with-store.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';

/** How often the others are told what was let through here. */
const USAGE_REPORT_INTERVAL_MS = 100;

const limits = createSharedLimits();
let serverPromise: Promise<RunningServer> | undefined;
let log: EventLog | undefined;
let isShuttingDown = false;

// Only the supervisor stops a worker: what is sent to all processes at once reaches it too, and
// is to let requests in flight finish.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
// With its supervisor a worker loses its log; that is no reason to break off what it answers.
process.stderr.on('error', () => {});
process.on('disconnect', shutDown);
process.on('message', (order: SupervisorMessage) => {
  if (order.kind === 'serve') start(order);
  else if (order.kind === 'charge') limits.applyUsage(order.there);
  else shutDown();
});

async function start({ port, isForPeople }: SupervisorMessage & { kind: 'serve' }): Promise<void> {
  log = createEventLog({ isTTY: isForPeople, write: (text) => process.stderr.write(text) });
  serverPromise = startWorkerServer(port, log);
  try {
    const { address } = await serverPromise;
    sendToSupervisor({ kind: 'serving', address });
  } catch (cause) {
    if (!isExpectedError(cause)) throw cause;
    sendToSupervisor({ kind: 'refused', message: cause.message, code: cause.code });
    process.exit(1);
  }
  setInterval(() => {
    const here = limits.drainUsage();
    if (here) sendToSupervisor({ kind: 'let through', here });
  }, USAGE_REPORT_INTERVAL_MS);
}

async function startWorkerServer(port: number, { emit }: EventLog): Promise<RunningServer> {
  const settings = { ...parseSettings(process.env), port };
  const store = await openStore(
    settings.databaseUrl,
    catalogue,
    getConnectionOptions(settings, emit),
  );
  return startServer({ store, catalogue, settings, emit, sharedLimits: limits });
}

/** Lets requests in flight finish. Nobody else is accepted from the first moment on. */
async function shutDown(): Promise<void> {
  if (isShuttingDown) return;
  isShuttingDown = true;
  // Where it was refused, that is told already.
  const listening = await serverPromise?.catch(() => undefined);
  await listening?.stop();
  log?.flush();
  await flushStderr();
  process.exit(0);
}

function sendToSupervisor(what: WorkerMessage): void {
  if (process.connected) process.send?.(what);
}

/** Whether it is something that the supervisor can tell in a line: no bug. */
function isExpectedError(cause: unknown): cause is NodeJS.ErrnoException {
  if (cause instanceof StoreUnusableError || cause instanceof StoreUnavailableError) return true;
  return cause instanceof Error && /^E[A-Z]+$/.test((cause as NodeJS.ErrnoException).code ?? '');
}
